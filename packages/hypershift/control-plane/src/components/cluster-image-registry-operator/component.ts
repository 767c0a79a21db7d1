import { hasCapability } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { isOpenShiftPayload } from '../../framework/context.ts';
import { podMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, secretVolume } from '../../framework/pod.ts';
import { cloudTokenFor } from '../cloud-tokens.ts';
import { controllerConfiguration } from '../controller-configuration.ts';

const name = 'cluster-image-registry-operator';
const serviceAccount = { namespace: 'openshift-image-registry', name };
const config = '/var/run/configmaps/image-registry-controller-config/config.yaml';
const cloudToken = cloudTokenFor(name, serviceAccount, 'kubeconfig');
const program = [
  '/usr/bin/cluster-image-registry-operator',
  `--config=${config}`,
  `--files=${config}`,
  '--files=/etc/secrets/tls.crt',
  '--files=/etc/secrets/tls.key',
];

/** It believes to run inside the hosted cluster, so the files of a pod there are laid out for it first. */
const disguise = `set -eu
inside=/var/run/secrets/kubernetes.io/serviceaccount
until test -f "$inside/token"; do sleep 2; done
printf openshift-image-registry > "$inside/namespace"
cp /etc/certificate/ca/ca.crt "$inside/ca.crt"
export KUBERNETES_SERVICE_HOST=kube-apiserver KUBERNETES_SERVICE_PORT=6443
until curl -fs --cacert "$inside/ca.crt" -H "Authorization: Bearer $(cat "$inside/token")" https://kube-apiserver:6443/apis/config.openshift.io/v1/featuregates > /dev/null; do sleep 2; done
exec ${program.join(' ')}`;

export const clusterImageRegistryOperator = component(name, {
  replicas: 1,
  strategy: 'Recreate',
  selector: { name },
  dependsOn: ['openshift-apiserver'],
  zones: true,
  enabled: (context) => hasCapability(context, 'ImageRegistry'),
  inject: {
    tokenMinters: (context) => [
      ...cloudToken(context),
      { use: 'apiserver', serviceAccount, kubeconfigVolume: 'kubeconfig', containers: [name] },
    ],
  },
  pod: (context) => ({
    labels: { app: name },
    containers: [
      {
        name,
        image: name,
        ...(isOpenShiftPayload(context) ? { command: ['/bin/bash', '-c'], args: [disguise] } : { command: program }),
        cpu: '10m',
        memory: '50Mi',
        ports: { metrics: 60000 },
        env: {
          RELEASE_VERSION: context.userRelease.version,
          WATCH_NAMESPACE: 'openshift-image-registry',
          OPERATOR_NAME: name,
          OPERATOR_IMAGE: context.images.get(name),
          IMAGE: context.images.get('docker-registry'),
          IMAGE_PRUNER: context.images.get('cli'),
          AZURE_ENVIRONMENT_FILEPATH: '/tmp/azurestackcloud.json',
          OPERATOR_IMAGE_VERSION: context.userRelease.version,
        },
        mounts: {
          'ca-bundle': '/etc/certificate/ca',
          'serving-cert': '/etc/secrets',
          'image-registry-controller-config': '/var/run/configmaps/image-registry-controller-config',
        },
      },
    ],
    volumes: {
      'serving-cert': secretVolume(name),
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      'ca-bundle': secretVolume('root-ca'),
      'image-registry-controller-config': configMapVolume('image-registry-controller-config'),
    },
  }),
  manifests: [
    controllerConfiguration('image-registry-controller-config', 60000, {
      certFile: '/etc/secrets/tls.crt',
      keyFile: '/etc/secrets/tls.key',
    }),
    podMonitor(name, { port: 'metrics', selector: { name } }),
  ],
});
