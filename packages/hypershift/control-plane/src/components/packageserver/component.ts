import { component } from '../../framework/component.ts';
import { isOpenShiftPayload } from '../../framework/context.ts';
import { podDisruptionBudget } from '../../framework/manifest.ts';
import { https, secretVolume } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';
import { olmApis } from '../olm-operator/olm.ts';
import { kasReadinessCheck } from '../openshift-apiserver/sidecars.ts';

const kubeconfig = '/etc/openshift/kubeconfig/kubeconfig';

/** Packages of all catalogs as an aggregated API. */
export const packageServer = component('packageserver', {
  zones: true,
  inject: {
    konnectivity: { mode: 'socks5', kubeconfigVolume: 'kubeconfig' },
    prober: { requiredApis: olmApis.slice(0, 1) },
  },
  pod: (context) => ({
    terminationGracePeriodSeconds: 30,
    containers: [
      {
        name: 'packageserver',
        image: 'operator-lifecycle-manager',
        command: ['/bin/package-server'],
        args: [
          '-v=4',
          '--secure-port',
          '5443',
          '--global-namespace',
          'openshift-marketplace',
          ...['--kubeconfig', '--authentication-kubeconfig', '--authorization-kubeconfig'].flatMap((flag) => [
            flag,
            kubeconfig,
          ]),
          ...tlsFlags(context),
        ],
        cpu: '10m',
        memory: '250Mi',
        ports: { https: 5443 },
        env: {
          OPERATOR_CONDITION_NAME: 'packageserver',
          GRPC_PROXY: 'socks5://127.0.0.1:8090',
          NO_PROXY: 'kube-apiserver',
          RELEASE_VERSION: context.userRelease.version,
        },
        mounts: {
          'apiservice-cert': '/apiserver.local.config/certificates',
          'webhook-cert': '/tmp/k8s-webhook-server/serving-certs',
          kubeconfig: '/etc/openshift/kubeconfig',
        },
        liveness: https('/healthz', 5443, { period: 10, timeout: 1, failures: 10 }),
        readiness: https('/healthz', 5443, { period: 10, timeout: 1, failures: 3 }),
      },
      ...(isOpenShiftPayload(context) ? [kasReadinessCheck] : []),
    ],
    volumes: {
      'apiservice-cert': {
        secret: 'packageserver-cert',
        items: { 'tls.crt': 'apiserver.crt', 'tls.key': 'apiserver.key' },
      },
      'webhook-cert': secretVolume('packageserver-cert'),
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
    },
  }),
  manifests: [podDisruptionBudget('packageserver')],
});
