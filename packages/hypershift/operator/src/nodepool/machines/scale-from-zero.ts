/** What the autoscaler is told about machines that do not exist yet. */
import type { NodePool } from '@hypershift-ts/hypershift-api';
import type { InstanceFacts, MachineTemplate } from '@hypershift-ts/hypershift-platforms';

const keys = {
  vCPU: 'machine.openshift.io/vCPU',
  memory: 'machine.openshift.io/memoryMb',
  gpu: 'machine.openshift.io/GPU',
  labels: 'capacity.cluster-autoscaler.kubernetes.io/labels',
  taints: 'capacity.cluster-autoscaler.kubernetes.io/taints',
} as const;

/** Annotations of MachineDeployment or MachineSet; null removes, and nothing is said about pools of a fixed size. */
export function capacityAnnotations(
  { spec }: NodePool,
  instance: InstanceFacts | undefined,
  template: MachineTemplate | undefined,
): { readonly [key: string]: string | null } {
  if (!spec.autoScaling) return {};
  const labels = Object.entries({ ...spec.nodeLabels, 'kubernetes.io/arch': spec.arch })
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  const taints = (spec.taints ?? [])
    .map(({ key, value, effect }) => (value ? `${key}=${value}:${effect}` : `${key}:${effect}`))
    .sort();
  const described = {
    [keys.labels]: labels.join(','),
    [keys.taints]: taints.length > 0 ? taints.join(',') : null,
  };
  // The provider measured it; two answers could only contradict each other. It does not know what the pool adds: without
  // that, pods that choose their nodes never get a first one, and a tainted pool would grow for pods it refuses.
  if (template?.status?.capacity) return { ...described, [keys.vCPU]: null, [keys.memory]: null, [keys.gpu]: null };
  if (!instance) return {};
  return {
    ...described,
    [keys.vCPU]: String(instance.vCPU),
    [keys.memory]: String(instance.memoryMiB),
    [keys.gpu]: instance.gpu > 0 ? String(instance.gpu) : null,
  };
}
