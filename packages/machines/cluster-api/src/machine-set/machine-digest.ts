import type {
  ClusterStatusCondition,
  ClusterStatusV1beta2Condition as NewCondition,
  Machine,
} from '../generated/capiv1beta1.ts';

/** What a MachineSet wants to know of each of its Machines, read once for each version of a Machine. */
export interface MachineDigest {
  readonly name: string;
  readonly deleting: boolean;
  /** v1beta1 `Ready`. */
  readonly ready: ClusterStatusCondition | undefined;
  /** v1beta2 `Ready`, `UpToDate` and `OwnerRemediated`. */
  readonly newReady: NewCondition | undefined;
  readonly upToDate: NewCondition | undefined;
  readonly remediation: NewCondition | undefined;
  /** v1beta2 `Available` is True. */
  readonly isAvailable: boolean;
  /** A health check found it unwell. */
  readonly unhealthy: boolean;
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
  let unhealthy = false;
  const shown: string[] = [];
  for (const condition of status?.conditions ?? []) {
    const { type } = condition;
    if (type === 'Ready') ready = condition;
    else if (type === 'OwnerRemediated') remediated = condition.status === 'False';
    else if (type === 'HealthCheckSucceeded') unhealthy = condition.status === 'False';
    else continue;
    shown.push(`${type} ${condition.status} ${condition.reason ?? ''}`);
  }
  let isAvailable = false;
  let nodeReadySinceMs: number | undefined;
  let newReady: NewCondition | undefined;
  let upToDate: NewCondition | undefined;
  let remediation: NewCondition | undefined;
  for (const condition of status?.v1beta2?.conditions ?? []) {
    const { type, status: value, lastTransitionTime } = condition;
    if (type === 'Ready') newReady = condition;
    else if (type === 'UpToDate') upToDate = condition;
    else if (type === 'OwnerRemediated') remediation = condition;
    else if (type === 'Available') isAvailable = value === 'True';
    else if (type === 'NodeReady' && value === 'True') nodeReadySinceMs = Date.parse(lastTransitionTime);
  }
  const deleting = metadata.deletionTimestamp !== undefined;
  const said = [newReady, upToDate, remediation].map((one) => `${one?.status} ${one?.message}`).join();
  shown.push(`${deleting} ${isAvailable} ${nodeReadySinceMs ?? ''} ${said}`);
  return {
    name: metadata.name ?? '',
    deleting,
    ready,
    newReady,
    upToDate,
    remediation,
    isAvailable,
    unhealthy,
    nodeReadySinceMs,
    remediated,
    shown: shown.join(),
  };
}
