import { hasCapability } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { identity, managing, rule, service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { podName, podNamespace, secretVolume } from '../../framework/pod.ts';

export const clusterNodeTuningOperator = component('cluster-node-tuning-operator', {
  replicas: 1,
  selector: { name: 'cluster-node-tuning-operator' },
  dependsOn: ['openshift-apiserver'],
  managementKasAccess: true,
  enabled: (context) => hasCapability(context, 'NodeTuning'),
  pod: ({ images, userRelease }) => ({
    labels: { app: 'cluster-node-tuning-operator' },
    serviceAccount: 'cluster-node-tuning-operator',
    containers: [
      {
        name: 'cluster-node-tuning-operator',
        image: 'cluster-node-tuning-operator',
        command: ['cluster-node-tuning-operator'],
        args: ['-v=0'],
        cpu: '10m',
        memory: '50Mi',
        ports: { metrics: 60000 },
        env: {
          RELEASE_VERSION: userRelease.version,
          HYPERSHIFT: 'true',
          MY_NAMESPACE: podNamespace,
          WATCH_NAMESPACE: 'openshift-cluster-node-tuning-operator',
          POD_NAME: podName,
          RESYNC_PERIOD: '600',
          CLUSTER_NODE_TUNED_IMAGE: images.get('cluster-node-tuning-operator'),
          KUBECONFIG: '/etc/kubernetes/kubeconfig',
        },
        mounts: {
          'node-tuning-operator-tls': '/etc/secrets',
          'metrics-client-ca': '/tmp/metrics-client-ca',
          'trusted-ca': '/var/run/configmaps/trusted-ca/',
          'hosted-kubeconfig': '/etc/kubernetes',
        },
      },
    ],
    volumes: {
      'node-tuning-operator-tls': secretVolume('node-tuning-operator-tls'),
      'metrics-client-ca': secretVolume('metrics-client'),
      'trusted-ca': { configMap: 'trusted-ca', optional: true, items: { 'ca-bundle.crt': 'tls-ca-bundle.pem' } },
      'hosted-kubeconfig': secretVolume('service-network-admin-kubeconfig'),
    },
  }),
  manifests: [
    ...identity('cluster-node-tuning-operator', [
      rule('', ['configmaps', 'configmaps/finalizers', 'events'], managing),
    ]),
    service(
      'node-tuning-operator',
      { metrics: [60000, 60000] },
      { selector: { name: 'cluster-node-tuning-operator' }, headless: true },
    ),
    serviceMonitor('cluster-node-tuning-operator', { port: 'metrics', selector: { app: 'node-tuning-operator' } }),
  ],
});
