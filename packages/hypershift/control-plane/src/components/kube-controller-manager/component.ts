import { clusterNetworks, serviceNetworks } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, isOpenShiftPayload } from '../../framework/context.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { configMap, service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, https, scratch, secretVolume } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';

const kubeconfig = '/etc/kubernetes/secrets/svc-kubeconfig/kubeconfig';
const certs = '/etc/kubernetes/certs';

export const kubeControllerManager = component('kube-controller-manager', {
  zones: true,
  inject: { prober: {} },
  pod: (context) => ({
    containers: [
      {
        name: 'kube-controller-manager',
        image: 'hyperkube',
        command: ['hyperkube', 'kube-controller-manager'],
        args: flags(context),
        cpu: '100m',
        memory: '600Mi',
        ports: { client: 10257 },
        mounts: {
          certs: '/var/run/kubernetes',
          'cluster-signer': `${certs}/cluster-signer`,
          'kcm-config': '/etc/kubernetes/config',
          kubeconfig: '/etc/kubernetes/secrets/svc-kubeconfig',
          logs: '/var/log/kube-controller-manager',
          'recycler-config': '/etc/kubernetes/recycler-config',
          'root-ca': `${certs}/root-ca`,
          'server-crt': `${certs}/server`,
          'service-signer': `${certs}/service-signer`,
        },
        liveness: https('healthz', 10257, { delay: 45, period: 10, timeout: 10, failures: 3 }),
        readiness: https('healthz', 10257, { period: 10, timeout: 10, failures: 3 }),
      },
    ],
    volumes: {
      'kcm-config': configMapVolume('kcm-config'),
      'root-ca': configMapVolume('root-ca'),
      logs: scratch,
      kubeconfig: secretVolume('kube-controller-manager-kubeconfig'),
      'cluster-signer': secretVolume('cluster-signer-ca'),
      certs: scratch,
      'service-signer': secretVolume('sa-signing-key'),
      'server-crt': secretVolume('kcm-server'),
      'recycler-config': configMapVolume('recycler-config'),
    },
  }),
  manifests: [
    configMap('kcm-config', { 'config.json': configuration() }),
    configMap('recycler-config', (context) => ({ 'recycler-pod.yaml': recyclerPod(context) })),
    service('kube-controller-manager', { client: [10257, 'client'] }),
    serviceMonitor('kube-controller-manager', { port: 'client', serverName: 'kube-controller-manager' }),
  ],
});

function flags(context: ControlPlaneContext): readonly string[] {
  const openshift = isOpenShiftPayload(context);
  const allocates = context.hcp.spec.networking?.allocateNodeCIDRs === 'Enabled';
  return [
    ...(openshift ? ['--openshift-config=/etc/kubernetes/config/config.json'] : []),
    ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((name) => `--${name}=${kubeconfig}`),
    '--cert-dir=/var/run/kubernetes',
    `--cluster-signing-cert-file=${certs}/cluster-signer/ca.crt`,
    `--cluster-signing-key-file=${certs}/cluster-signer/ca.key`,
    '--cluster-signing-duration=17520h',
    '--configure-cloud-routes=false',
    ...['*', '-ttl', '-bootstrapsigner', '-tokencleaner'].map((name) => `--controllers=${name}`),
    ...(openshift ? ['--controllers=selinux-warning-controller'] : []),
    '--enable-dynamic-provisioning=true',
    '--flex-volume-plugin-dir=/etc/kubernetes/kubelet-plugins/volume/exec',
    '--pv-recycler-pod-template-filepath-nfs=/etc/kubernetes/recycler-config/recycler-pod.yaml',
    '--kube-api-burst=300',
    '--kube-api-qps=150',
    '--leader-elect-resource-lock=leases',
    '--leader-elect=true',
    '--leader-elect-renew-deadline=12s',
    '--leader-elect-retry-period=3s',
    `--root-ca-file=${certs}/root-ca/ca.crt`,
    '--secure-port=10257',
    `--service-account-private-key-file=${certs}/service-signer/service-account.key`,
    '--use-service-account-credentials=true',
    `--tls-cert-file=${certs}/server/tls.crt`,
    `--tls-private-key-file=${certs}/server/tls.key`,
    '--terminated-pod-gc-threshold=1000',
    '--concurrent-gc-syncs=5',
    `--cluster-cidr=${clusterNetworks(context).join(',')}`,
    `--service-cluster-ip-range=${serviceNetworks(context).join(',')}`,
    `--allocate-node-cidrs=${allocates}`,
    '--node-monitor-grace-period=50s',
    ...tlsFlags(context),
    ...featureGatesOf(context).map((gate) => `--feature-gates=${gate}`),
  ];
}

function configuration(): string {
  return JSON.stringify({
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeControllerManagerConfig',
    extendedArguments: {
      'leader-elect': ['true'],
      'leader-elect-renew-deadline': ['12s'],
      'leader-elect-retry-period': ['3s'],
    },
    projectConfig: { defaultNodeSelector: '' },
    serviceServingCert: { certFile: '' },
  });
}

/** Empties a volume that is given back; hidden files too, and it fails when something is left. */
function recyclerPod({ images }: ControlPlaneContext): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'recycler-pod', namespace: 'openshift-infra' },
    spec: {
      activeDeadlineSeconds: 60,
      restartPolicy: 'Never',
      serviceAccountName: 'pv-recycler-controller',
      containers: [
        {
          name: 'recycler-container',
          image: images.get('tools'),
          command: ['/bin/bash', '-c', 'find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)"'],
          volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
          securityContext: { runAsUser: 0 },
          resources: { requests: { memory: '50Mi', cpu: '10m' } },
        },
      ],
      volumes: [{ name: 'vol' }],
    },
  });
}
