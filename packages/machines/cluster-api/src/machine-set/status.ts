import { selectorFor } from '@hypershift-ts/kube-controllers';
import { aggregate, falseState, type State, summary, trueState, withStates } from '../conditions/v1beta1.ts';
import { flagState, type NewState, newState, withNewStates } from '../conditions/v1beta2.ts';
import type { Machine, MachineSet, MachineSetStatus } from '../generated/capiv1beta1.ts';
import { digestOf } from './machine-digest.ts';

/** What stopped the creation of Machines. */
export interface CreationFailure {
  readonly reason: 'InfrastructureTemplateCloningFailed' | 'BootstrapTemplateCloningFailed' | 'MachineCreationFailed';
  readonly message: string;
}

export interface SetFacts {
  readonly machines: readonly Machine[];
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
      readyReplicas: count((machine) => digestOf(machine).isReady),
      availableReplicas: count((machine) => digestOf(machine).isAvailable),
      upToDateReplicas: upToDate ? count(({ metadata }) => !metadata.deletionTimestamp) : 0,
      conditions: withNewStates(before.v1beta2?.conditions, newStatesOf(set, facts), set.metadata.generation, nowMs),
    },
  };
}

function statesOf(set: MachineSet, { machines, failure }: SetFacts, readyReplicas: number): readonly State[] {
  const desired = set.spec.replicas ?? 0;
  const actual = machines.length;
  const resized = resizedState(desired, actual, readyReplicas);
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
function resizedState(desired: number, actual: number, ready: number): State | undefined {
  if (actual < desired) {
    const message = `Scaling up MachineSet to ${desired} replicas (actual ${actual})`;
    return falseState('Resized', 'ScalingUp', 'Warning', message);
  }
  if (actual > desired) {
    const message = `Scaling down MachineSet to ${desired} replicas (actual ${actual})`;
    return falseState('Resized', 'ScalingDown', 'Warning', message);
  }
  return ready === actual ? trueState('Resized') : undefined;
}

function newStatesOf(set: MachineSet, { machines, upToDate }: SetFacts): readonly NewState[] {
  const desired = set.spec.replicas ?? 0;
  const deleting = set.metadata.deletionTimestamp !== undefined;
  const up = machines.length < desired;
  const down = machines.length > desired;
  const named = (test: (machine: Machine) => boolean) =>
    machines.filter(test).map(({ metadata }) => metadata.name ?? '');
  const notReady = named((machine) => !digestOf(machine).isReady);
  const remediated = named((machine) => digestOf(machine).remediated);
  return [
    machinesState('MachinesReady', machines.length, notReady, ['Ready', 'NotReady'], 'not ready'),
    ...(upToDate === undefined
      ? []
      : [
          machinesState(
            'MachinesUpToDate',
            machines.length,
            upToDate ? [] : named(() => true),
            ['UpToDate', 'NotUpToDate'],
            'not up-to-date',
          ),
        ]),
    flagState('Remediating', remediated.length > 0, `Remediating ${listed(remediated)}`),
    flagState('ScalingUp', up, `Scaling up from ${machines.length} to ${desired} replicas`),
    flagState('ScalingDown', down, `Scaling down from ${machines.length} to ${desired} replicas`),
    flagState('Deleting', deleting, `waiting for ${machines.length} Machines to be deleted`),
    newState('Paused', 'False', 'NotPaused'),
  ];
}

/** Names in a condition, the first few of them. */
function listed(names: readonly string[]): string {
  const more = names.length > 3 ? `, ... (${names.length - 3} more)` : '';
  return `${names.length === 1 ? 'Machine' : 'Machines'} ${[...names].sort().slice(0, 3).join(', ')}${more}`;
}

function machinesState(
  type: string,
  total: number,
  wrong: readonly string[],
  [good, bad]: readonly [string, string],
  what: string,
): NewState {
  if (total === 0) return newState(type, 'True', 'NoReplicas');
  if (wrong.length === 0) return newState(type, 'True', good);
  return newState(type, 'False', bad, `* ${listed(wrong)}: ${what}`);
}
