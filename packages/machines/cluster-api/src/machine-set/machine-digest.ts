import type { ClusterStatusCondition, Machine } from '../generated/capiv1beta1.ts';

/** What a MachineSet wants to know of each of its Machines, read once for each version of a Machine. */
export interface MachineDigest {
  readonly name: string;
  readonly deleting: boolean;
  /** v1beta1 `Ready`. */
  readonly ready: ClusterStatusCondition | undefined;
  /** v1beta2 `Ready` and `Available` are True. */
  readonly isReady: boolean;
  readonly isAvailable: boolean;
  /** Since when the node is ready; undefined while it is not. */
  readonly nodeReadySinceMs: number | undefined;
  /** A health check handed it to its owner. */
  readonly remediated: boolean;
  /** Changes with everything above. */
  readonly shown: string;
}

const known = new WeakMap<Machine, MachineDigest>();

export function digestOf(machine: Machine): MachineDigest {
  let digest = known.get(machine);
  if (!digest) known.set(machine, (digest = read(machine)));
  return digest;
}

function read({ metadata, status }: Machine): MachineDigest {
  let ready: ClusterStatusCondition | undefined;
  let remediated = false;
  const shown: string[] = [];
  for (const condition of status?.conditions ?? []) {
    const { type } = condition;
    if (type === 'Ready') ready = condition;
    else if (type === 'OwnerRemediated') remediated = condition.status === 'False';
    else if (type !== 'HealthCheckSucceeded') continue;
    shown.push(`${type} ${condition.status} ${condition.reason ?? ''}`);
  }
  let isReady = false;
  let isAvailable = false;
  let nodeReadySinceMs: number | undefined;
  for (const { type, status: value, lastTransitionTime } of status?.v1beta2?.conditions ?? []) {
    if (value !== 'True') continue;
    if (type === 'Ready') isReady = true;
    else if (type === 'Available') isAvailable = true;
    else if (type === 'NodeReady') nodeReadySinceMs = Date.parse(lastTransitionTime);
  }
  const deleting = metadata.deletionTimestamp !== undefined;
  shown.push(`${deleting} ${isReady} ${isAvailable} ${nodeReadySinceMs ?? ''}`);
  return {
    name: metadata.name ?? '',
    deleting,
    ready,
    isReady,
    isAvailable,
    nodeReadySinceMs,
    remediated,
    shown: shown.join(),
  };
}
