import { parseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { NodeDescription } from '@hypershift-ts/kube-kubelet';
import type { KubeletSettings } from './kubelet-settings.ts';
import type { OperatingSystem } from './operating-system.ts';
import type { MachineSpec } from './simulated-machine.ts';

/** Says on everything made by the simulated cloud what it is. */
export const simulatedAnnotation = 'hypershift-ts.io/simulated';

const defaultReserved = { cpu: '500m', memory: '1Gi', 'ephemeral-storage': '1Gi' } as const;

/** What a machine's kubelet says about the node. */
export function nodeDescription(
  spec: MachineSpec,
  settings: KubeletSettings,
  system: OperatingSystem,
  bootID: string,
): Omit<NodeDescription, 'name' | 'address' | 'port'> {
  const capacity = {
    cpu: String(spec.cpu),
    memory: `${spec.memoryMiB * 1024}Ki`,
    'ephemeral-storage': `${(spec.diskGiB ?? 120) * 1024 * 1024}Ki`,
    pods: String(settings.maxPods),
  };
  const { architecture = 'amd64', providerID, extraAddresses } = spec;
  return {
    ...(providerID ? { providerID } : {}),
    ...(extraAddresses ? { extraAddresses } : {}),
    labels: { ...settings.labels, ...spec.labels },
    annotations: { [simulatedAnnotation]: 'true' },
    taints: settings.taints,
    capacity,
    allocatable: { ...capacity, ...remaining(capacity, settings.reserved) },
    kubeletVersion: system.kubeletVersion,
    nodeInfo: {
      architecture,
      bootID,
      machineID: spec.id,
      systemUUID: spec.id,
      osImage: system.osImage,
      containerRuntimeVersion: 'cri-o://simulated',
      kernelVersion: 'simulated',
      kubeletVersion: system.kubeletVersion,
    },
  };
}

/** What is left for pods after the system's share. */
function remaining(
  capacity: Readonly<Record<'cpu' | 'memory' | 'ephemeral-storage', string>>,
  reserved: Readonly<Record<string, string>>,
): Record<string, string> {
  const share = { ...defaultReserved, ...reserved };
  const left = (name: 'cpu' | 'memory' | 'ephemeral-storage') =>
    Math.max(0, parseQuantity(capacity[name]).asApproximateFloat() - parseQuantity(share[name]).asApproximateFloat());
  return {
    cpu: `${Math.round(left('cpu') * 1000)}m`,
    memory: `${Math.floor(left('memory') / 1024)}Ki`,
    'ephemeral-storage': `${Math.floor(left('ephemeral-storage') / 1024)}Ki`,
  };
}
