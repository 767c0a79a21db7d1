import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { configMap, service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, https, secretVolume } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';

const kubeconfig = '/etc/kubernetes/kubeconfig/kubeconfig';

export const kubeScheduler = component('kube-scheduler', {
  zones: true,
  inject: { prober: {} },
  pod: (context) => ({
    containers: [
      {
        name: 'kube-scheduler',
        image: 'hyperkube',
        command: ['hyperkube', 'kube-scheduler'],
        args: [
          '--config=/etc/kubernetes/config/config.json',
          '--tls-cert-file=/etc/kubernetes/certs/tls.crt',
          '--tls-private-key-file=/etc/kubernetes/certs/tls.key',
          '--secure-port=10259',
          `--authentication-kubeconfig=${kubeconfig}`,
          `--authorization-kubeconfig=${kubeconfig}`,
          '-v=2',
          ...tlsFlags(context),
          ...featureGatesOf(context).map((gate) => `--feature-gates=${gate}`),
        ],
        cpu: '25m',
        memory: '150Mi',
        ports: { client: 10259 },
        mounts: {
          'serving-cert': '/etc/kubernetes/certs',
          kubeconfig: '/etc/kubernetes/kubeconfig',
          'scheduler-config': '/etc/kubernetes/config',
        },
        liveness: https('/livez', 10259, { delay: 60, period: 60, timeout: 5, failures: 5 }),
      },
    ],
    volumes: {
      'scheduler-config': configMapVolume('kube-scheduler'),
      'serving-cert': secretVolume('scheduler-server'),
      kubeconfig: secretVolume('kube-scheduler-kubeconfig'),
    },
  }),
  manifests: [
    configMap('kube-scheduler', (context) => ({ 'config.json': configuration(context) })),
    service('kube-scheduler', { client: [10259, 'client'] }),
    serviceMonitor('kube-scheduler', { port: 'client', serverName: 'kube-scheduler' }),
  ],
});

/** How strongly pods are packed, by the profile the user chose. */
const scoring: Readonly<Record<string, readonly object[]>> = {
  HighNodeUtilization: [
    {
      schedulerName: 'default-scheduler',
      plugins: {
        score: {
          disabled: [{ name: 'NodeResourcesBalancedAllocation' }],
          enabled: [{ name: 'NodeResourcesFit', weight: 5 }],
        },
      },
      pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } }],
    },
  ],
  NoScoring: [
    {
      schedulerName: 'default-scheduler',
      plugins: { preScore: { disabled: [{ name: '*' }] }, score: { disabled: [{ name: '*' }] } },
    },
  ],
};

function configuration({ hcp }: ControlPlaneContext): string {
  const profiles = scoring[hcp.spec.configuration?.scheduler?.profile ?? ''];
  return JSON.stringify({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    ...(profiles ? { profiles } : {}),
    leaderElection: { leaderElect: true, leaseDuration: '2m17s', renewDeadline: '1m47s', retryPeriod: '26s' },
    clientConnection: { kubeconfig },
  });
}
