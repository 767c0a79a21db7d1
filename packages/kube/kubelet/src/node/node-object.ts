import { availableParallelism, arch, release, totalmem } from 'node:os';
import { type corev1, formatTime, kubernetesVersion } from '@hypershift-ts/kube-apimachinery';

/** What a node says about itself. */
export interface NodeDescription {
  readonly name: string;
  readonly address: string;
  /** Where logs and exec are served; absent when they are not. */
  readonly port?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly corev1.Taint[];
  readonly capacity?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly providerID?: string;
  readonly podCIDR?: string;
  /** What `kubectl get nodes` shows as version; the embedded Kubernetes' own when absent. */
  readonly kubeletVersion?: string;
  readonly extraAddresses?: readonly corev1.NodeAddress[];
  readonly nodeInfo?: Partial<corev1.NodeSystemInfo>;
  /** What the node is short of. */
  readonly pressures?: readonly Pressure[];
}

export type Pressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/** The Node to register. */
export function desiredNode(description: NodeDescription): Pick<corev1.Node, 'metadata' | 'spec'> {
  const { name, labels, annotations, taints, providerID, podCIDR } = description;
  const architecture = description.nodeInfo?.architecture ?? hostArchitecture();
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': architecture,
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': architecture,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true', ...annotations },
    },
    spec: {
      ...(taints && taints.length > 0 ? { taints } : {}),
      ...(providerID ? { providerID } : {}),
      ...(podCIDR ? { podCIDR, podCIDRs: [podCIDR] } : {}),
    },
  };
}

/** The machine's own size, unless the node is told to claim another. */
export function capacityOf({ capacity }: NodeDescription): Record<string, string> {
  return {
    ...(capacity?.['cpu'] ? {} : { cpu: String(availableParallelism()) }),
    ...(capacity?.['memory'] ? {} : { memory: `${Math.floor(totalmem() / 1024)}Ki` }),
    'ephemeral-storage': '100Gi',
    pods: '110',
    ...capacity,
  };
}

/** The status without conditions. */
export function desiredNodeStatus(description: NodeDescription): corev1.NodeStatus {
  const { name, address, port, allocatable, extraAddresses = [], nodeInfo } = description;
  const capacity = capacityOf(description);
  const id = `hypershift-ts-${name}`;
  return {
    addresses: [{ type: 'InternalIP', address }, { type: 'Hostname', address: name }, ...extraAddresses],
    capacity,
    allocatable: { ...capacity, ...allocatable },
    ...(port ? { daemonEndpoints: { kubeletEndpoint: { Port: port } } } : {}),
    nodeInfo: {
      architecture: hostArchitecture(),
      bootID: id,
      machineID: id,
      systemUUID: id,
      containerRuntimeVersion: 'hypershift-ts://0.1.0',
      kernelVersion: release(),
      kubeProxyVersion: '',
      kubeletVersion: description.kubeletVersion ?? kubernetesVersion.gitVersion,
      operatingSystem: 'linux',
      osImage: 'hypershift-ts',
      ...nodeInfo,
    },
  };
}

const healthy = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

const short: Readonly<Record<string, readonly [string, string]>> = {
  MemoryPressure: ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
  DiskPressure: ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
  PIDPressure: ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
};

/** The node's conditions; transition times stay where the status did. */
export function nodeConditions(
  live: readonly corev1.NodeCondition[] | undefined,
  nowMs: number,
  pressures: readonly Pressure[] = [],
): corev1.NodeCondition[] {
  const now = formatTime(nowMs);
  return healthy.map(([type, ...fine]) => {
    const shortage = (pressures as readonly string[]).includes(type) ? short[type] : undefined;
    const [status, reason, message] = shortage ? (['True', ...shortage] as const) : fine;
    const before = live?.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
    return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime };
  });
}

function hostArchitecture(): string {
  return architectures[arch()] ?? arch();
}
