import { selectorFor } from '@hypershift-ts/kube-controllers';
import { aggregate, falseState, type State, summary, trueState, withStates } from '../conditions/v1beta1.ts';
import { mergedMessage, mergedState, named } from '../conditions/merged.ts';
import { flagState, type NewState, newState, withNewStates } from '../conditions/v1beta2.ts';
import type { Machine, MachineSet, MachineSetStatus } from '../generated/capiv1beta1.ts';
import { digestOf, type MachineDigest } from './machine-digest.ts';

/** What stopped the creation of Machines. */
export interface CreationFailure {
  readonly reason: 'InfrastructureTemplateCloningFailed' | 'BootstrapTemplateCloningFailed' | 'MachineCreationFailed';
  readonly message: string;
}

export interface SetFacts {
  readonly machines: readonly Machine[];
  /** How many of them have just been asked for. */
  readonly created?: number;
  readonly failure: CreationFailure | undefined;
  /** The set's template is what its MachineDeployment wants now; undefined when it belongs to none. */
  readonly upToDate: boolean | undefined;
  readonly nowMs: number;
}

/** When the machine became (or will become) available; undefined while its node is not ready or it is leaving. */
export function availableAt(machine: Machine, minReadySeconds: number): number | undefined {
  const { deleting, nodeReadySinceMs } = digestOf(machine);
  return deleting || nodeReadySinceMs === undefined ? undefined : nodeReadySinceMs + minReadySeconds * 1000;
}

export function machineSetStatus(set: MachineSet, facts: SetFacts): MachineSetStatus {
  const { machines, nowMs, upToDate } = facts;
  const before = set.status ?? {};
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const templateLabels = Object.entries(set.spec.template?.metadata?.labels ?? {});
  const count = (test: (machine: Machine) => boolean) =>
    machines.reduce((sum, machine) => sum + (test(machine) ? 1 : 0), 0);
  const readyReplicas = count((machine) => digestOf(machine).nodeReadySinceMs !== undefined);
  const conditions = withStates(before.conditions, statesOf(set, facts, readyReplicas), nowMs);
  return {
    ...before,
    selector: selectorFor(set.spec.selector).toString(),
    replicas: machines.length,
    fullyLabeledReplicas: count(({ metadata }) =>
      templateLabels.every(([key, value]) => metadata.labels?.[key] === value),
    ),
    readyReplicas,
    availableReplicas: count((machine) => (availableAt(machine, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= nowMs),
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    conditions: withStates(
      conditions,
      [summary('Ready', conditions, { of: ['MachinesCreated', 'Resized', 'MachinesReady'] })],
      nowMs,
    ),
    v1beta2: {
      readyReplicas: count((machine) => digestOf(machine).newReady?.status === 'True'),
      availableReplicas: count((machine) => digestOf(machine).isAvailable),
      upToDateReplicas: upToDate ? count(({ metadata }) => !metadata.deletionTimestamp) : 0,
      conditions: withNewStates(before.v1beta2?.conditions, newStatesOf(set, facts), set.metadata.generation, nowMs),
    },
  };
}

function statesOf(
  set: MachineSet,
  { machines, failure, created = 0 }: SetFacts,
  readyReplicas: number,
): readonly State[] {
  const desired = set.metadata.deletionTimestamp ? 0 : (set.spec.replicas ?? 0);
  const actual = machines.length;
  const resized = resizedState(desired, actual - created, actual, readyReplicas);
  const ready = aggregate(
    'MachinesReady',
    machines.map((machine) => {
      const { name, ready: state } = digestOf(machine);
      return { kind: 'Machine', name, state };
    }),
  );
  return [
    failure ? falseState('MachinesCreated', failure.reason, 'Error', failure.message) : trueState('MachinesCreated'),
    ...(resized ? [resized] : []),
    ready ?? (actual === 0 ? trueState('MachinesReady') : falseState('MachinesReady', 'WaitingForMachines', 'Info')),
  ];
}

/** Undefined: the last resize goes on, its machines are there but not all of them are ready. */
function resizedState(desired: number, before: number, actual: number, ready: number): State | undefined {
  if (before < desired) {
    const message = `Scaling up MachineSet to ${desired} replicas (actual ${before})`;
    return falseState('Resized', 'ScalingUp', 'Warning', message);
  }
  if (actual > desired) {
    const message = `Scaling down MachineSet to ${desired} replicas (actual ${actual})`;
    return falseState('Resized', 'ScalingDown', 'Warning', message);
  }
  return ready === actual ? trueState('Resized') : undefined;
}

function newStatesOf(set: MachineSet, { machines, upToDate, failure }: SetFacts): readonly NewState[] {
  const desired = set.spec.replicas ?? 0;
  const total = machines.length;
  const deleting = set.metadata.deletionTimestamp !== undefined;
  const wanted = deleting ? 0 : desired;
  const digests = machines.map(digestOf);
  const blocked = failure ? ` is blocked because ${failure.message}` : '';
  return [
    mergedState(
      'MachinesReady',
      'Machine',
      'Ready',
      digests.map(({ name, newReady }) => ({ name, state: newReady })),
    ),
    ...(upToDate === undefined
      ? []
      : [
          mergedState(
            'MachinesUpToDate',
            'Machine',
            'UpToDate',
            digests.flatMap((digest) => (digest.upToDate ? [{ name: digest.name, state: digest.upToDate }] : [])),
          ),
        ]),
    remediatingState(digests),
    flagState('ScalingUp', total < wanted, `Scaling up from ${total} to ${wanted} replicas${blocked}`),
    flagState('ScalingDown', total > wanted, `Scaling down from ${total} to ${wanted} replicas`),
    flagState('Deleting', deleting, total === 0 ? 'Deletion completed' : `Deleting ${counted(total, 'Machine')}`),
    newState('Paused', 'False', 'NotPaused'),
  ];
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Who is being replaced; or who is unwell and must wait, since nobody allowed to replace it. */
function remediatingState(digests: readonly MachineDigest[]): NewState {
  const replaced = digests.filter(({ unhealthy, remediated }) => unhealthy && remediated);
  if (replaced.length > 0) {
    const told = replaced.map(({ name, remediation }) => ({ name, state: remediation }));
    return newState('Remediating', 'True', 'Remediating', mergedMessage('Machine', told));
  }
  const unhealthy = digests.filter((digest) => digest.unhealthy).map(({ name }) => name);
  if (unhealthy.length === 0) return newState('Remediating', 'False', 'NotRemediating');
  const are = unhealthy.length === 1 ? 'is' : 'are';
  const message = `${named('Machine', unhealthy)} ${are} not healthy (not to be remediated by MachineSet)`;
  return newState('Remediating', 'False', 'NotRemediating', message);
}
