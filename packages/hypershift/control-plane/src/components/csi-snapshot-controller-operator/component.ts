import { isNotPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { identity, rule } from '../../framework/manifest.ts';
import { configMapVolume, podName, secretVolume } from '../../framework/pod.ts';
import { controllerConfiguration } from '../controller-configuration.ts';

const name = 'csi-snapshot-controller-operator';
const certs = '/var/run/secrets/serving-cert';
const config = '/var/run/configmaps/config/config.yaml';
const owned = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

export const csiSnapshotControllerOperator = component(name, {
  replicas: 1,
  dependsOn: ['openshift-apiserver'],
  managementKasAccess: true,
  operands: true,
  enabled: isNotPlatform('IBMCloud', 'PowerVS'),
  inject: {
    prober: { kubeconfigVolume: 'guest-kubeconfig', requiredApis: ['operator.openshift.io,v1,CSISnapshotController'] },
  },
  pod: ({ images, userRelease }) => ({
    serviceAccount: name,
    containers: [
      {
        name,
        image: 'cluster-csi-snapshot-controller-operator',
        args: [
          'start',
          '-v=2',
          `--config=${config}`,
          ...[config, `${certs}/tls.crt`, `${certs}/tls.key`].map((file) => `--terminate-on-files=${file}`),
          '--guest-kubeconfig=/etc/guest-kubeconfig/kubeconfig',
        ],
        cpu: '10m',
        memory: '65Mi',
        env: {
          OPERAND_IMAGE: images.get('csi-snapshot-controller'),
          OPERATOR_IMAGE_VERSION: images.release.version,
          OPERAND_IMAGE_VERSION: userRelease.version,
          POD_NAME: podName,
        },
        mounts: {
          'guest-kubeconfig': '/etc/guest-kubeconfig',
          [`${name}-serving-cert`]: certs,
          config: '/var/run/configmaps/config',
        },
      },
    ],
    volumes: {
      'guest-kubeconfig': secretVolume('service-network-admin-kubeconfig'),
      [`${name}-serving-cert`]: secretVolume(`${name}-serving-cert`),
      config: configMapVolume(`${name}-config`),
    },
  }),
  manifests: [
    controllerConfiguration(`${name}-config`, 8443),
    ...identity(name, [
      rule('coordination.k8s.io', ['leases'], ['get', 'list', 'watch', 'create', 'update', 'patch']),
      rule('apps', ['deployments', 'replicasets'], owned),
      rule('policy', ['poddisruptionbudgets'], owned),
      rule('', ['serviceaccounts', 'services', 'configmaps'], owned),
      rule('', ['pods'], ['get', 'list', 'watch']),
      rule('', ['events'], ['create', 'patch', 'update']),
      rule('', ['secrets'], ['list', 'watch']),
      rule('hypershift.openshift.io', ['hostedcontrolplanes'], ['watch', 'list', 'get']),
    ]),
  ],
});
