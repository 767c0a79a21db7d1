import { isPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { configMap } from '../../framework/manifest.ts';
import { type ContainerDeclaration, scratch } from '../../framework/pod.ts';

const kubeconfig = '--kubeconfig=/var/run/secrets/tenantcluster/kubeconfig';
const socket = '/var/lib/csi/sockets/pluginproxy/csi.sock';

const container = (name: string, image: string, args: readonly string[], env = {}): ContainerDeclaration => ({
  name,
  image,
  args,
  cpu: '10m',
  memory: '50Mi',
  env,
  mounts: { 'socket-dir': '/var/lib/csi/sockets/pluginproxy/' },
});

const containers = [
  container(
    'csi-driver',
    'kubevirt-csi-driver',
    [
      '--endpoint=$(CSI_ENDPOINT)',
      '--infra-cluster-namespace=$(INFRACLUSTER_NAMESPACE)',
      '--tenant-cluster-kubeconfig=/var/run/secrets/tenantcluster/kubeconfig',
      '--infra-cluster-labels=$(INFRACLUSTER_LABELS)',
      '--run-node-service=false',
      '--run-controller-service=true',
      '--v=5',
    ],
    { CSI_ENDPOINT: `unix://${socket}`, KUBE_NODE_NAME: { field: 'spec.nodeName' } },
  ),
  container('csi-provisioner', 'csi-external-provisioner', [
    `--csi-address=${socket}`,
    '--default-fstype=ext4',
    '--v=5',
    kubeconfig,
    '--timeout=3m',
    '--retry-interval-max=1m',
  ]),
  container('csi-attacher', 'csi-external-attacher', [
    `--csi-address=${socket}`,
    '--v=5',
    kubeconfig,
    '--timeout=3m',
    '--retry-interval-max=1m',
  ]),
  container('csi-liveness-probe', 'csi-livenessprobe', [
    `--csi-address=${socket}`,
    '--probe-timeout=3s',
    '--health-port=10301',
  ]),
  container('csi-snapshotter', 'csi-external-snapshotter', [
    '--v=5',
    `--csi-address=${socket}`,
    kubeconfig,
    '--timeout=3m',
  ]),
  container('csi-resizer', 'csi-external-resizer', [
    '--v=5',
    `--csi-address=${socket}`,
    kubeconfig,
    '--timeout=3m',
    '--handle-volume-inuse-error=false',
  ]),
];

/** Volumes of a hosted cluster are volumes of the cluster its machines run on. */
export const kubevirtCsiController = component('kubevirt-csi-controller', {
  replicas: 1,
  selector: { app: 'kubevirt-csi-driver' },
  managementKasAccess: true,
  enabled: isPlatform('KubeVirt'),
  inject: {
    serviceAccountKubeconfig: {
      serviceAccount: { namespace: 'openshift-cluster-csi-drivers', name: 'kubevirt-csi-controller-sa' },
      mountPath: '/var/run/secrets/tenantcluster',
      containers: containers.map(({ name }) => name),
    },
  },
  pod: ({ hcp, namespace }) => ({
    containers: containers.map((one) =>
      one.name === 'csi-driver'
        ? {
            ...one,
            env: {
              ...one.env,
              INFRACLUSTER_NAMESPACE: hcp.spec.platform.kubevirt?.credentials?.infraNamespace || namespace,
              INFRACLUSTER_LABELS: `hypershift.openshift.io/infra-id=${hcp.spec.infraID}`,
            },
          }
        : one,
    ),
    volumes: { 'socket-dir': scratch },
  }),
  manifests: [
    configMap('driver-config', ({ hcp, namespace }) => ({
      infraClusterNamespace: hcp.spec.platform.kubevirt?.credentials?.infraNamespace || namespace,
      infraClusterLabels: `hypershift.openshift.io/infra-id=${hcp.spec.infraID}`,
    })),
  ],
});
