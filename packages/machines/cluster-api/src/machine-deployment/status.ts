import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { selectorFor } from '@hypershift-ts/kube-controllers';
import { falseState, mirror, type State, summary, trueState, withStates } from '../conditions/v1beta1.ts';
import { flagState, type NewState, newState, withNewStates } from '../conditions/v1beta2.ts';
import type { MachineDeployment, MachineDeploymentStatus, MachineSet } from '../generated/capiv1beta1.ts';
import { available, existing, isOnDelete, replicasOf, rollingLimits, sum } from './limits.ts';
import { differencesFrom } from './template-equality.ts';

export function machineDeploymentStatus(
  deployment: MachineDeployment,
  newSet: MachineSet | undefined,
  old: readonly MachineSet[],
  nowMs: number,
): MachineDeploymentStatus {
  const before = deployment.status ?? {};
  const all = newSet ? [newSet, ...old] : [...old];
  const replicas = sum(all, existing);
  const updatedReplicas = newSet ? existing(newSet) : 0;
  const readyReplicas = sum(all, ({ status }) => status?.readyReplicas ?? 0);
  const availableReplicas = sum(all, available);
  const states = [availableState(deployment, availableReplicas), setState(newSet)];
  return {
    ...before,
    ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    selector: selectorFor(deployment.spec.selector).toString(),
    replicas,
    updatedReplicas,
    readyReplicas,
    availableReplicas,
    unavailableReplicas: Math.max(sum(all, replicasOf) - availableReplicas, 0),
    phase: phaseOf(deployment, replicas),
    conditions: withStates(before.conditions, [...states, summary('Ready', states, { of: ['Available'] })], nowMs),
    v1beta2: {
      readyReplicas: sum(all, ({ status }) => status?.v1beta2?.readyReplicas ?? 0),
      availableReplicas: sum(all, ({ status }) => status?.v1beta2?.availableReplicas ?? 0),
      upToDateReplicas: sum(all, ({ status }) => status?.v1beta2?.upToDateReplicas ?? 0),
      conditions: withNewStates(
        before.v1beta2?.conditions,
        newStatesOf(deployment, all, updatedReplicas, nowMs),
        deployment.metadata.generation,
        nowMs,
      ),
    },
  };
}

function availableState(deployment: MachineDeployment, availableReplicas: number): State {
  const required = replicasOf(deployment) - rollingLimits(deployment).unavailable;
  if (availableReplicas >= required) return trueState('Available');
  const message = `Minimum availability requires ${required} replicas, current ${availableReplicas} available`;
  return falseState('Available', 'WaitingForAvailableMachines', 'Warning', message);
}

function setState(newSet: MachineSet | undefined): State {
  const ready = findCondition(newSet?.status?.conditions, 'Ready');
  return mirror(
    'MachineSetReady',
    ready,
    falseState('MachineSetReady', 'WaitingForMachineSet', 'Info', 'MachineSet not found'),
  );
}

/** Counts machines, whether they are ready or not. */
function phaseOf(deployment: MachineDeployment, replicas: number): NonNullable<MachineDeploymentStatus['phase']> {
  const wanted = replicasOf(deployment);
  if (deployment.metadata.deletionTimestamp || wanted < replicas) return 'ScalingDown';
  return wanted === replicas ? 'Running' : 'ScalingUp';
}

function newStatesOf(
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  updated: number,
  nowMs: number,
): readonly NewState[] {
  const replicas = sum(sets, existing);
  const deleting = deployment.metadata.deletionTimestamp !== undefined;
  const wanted = deleting ? 0 : replicasOf(deployment);
  return [
    newAvailableState(deployment, sum(sets, available)),
    mergedOfSets('MachinesReady', 'Ready', sets),
    mergedOfSets('MachinesUpToDate', 'UpToDate', sets),
    remediatingState(sets),
    rollingOutState(deployment, sets, replicas - updated, nowMs),
    flagState('ScalingUp', replicas < wanted, scalingUpMessage(sets, replicas, wanted)),
    flagState('ScalingDown', replicas > wanted, `Scaling down from ${replicas} to ${wanted} replicas`),
    flagState('Deleting', deleting, deletingMessage(sets, replicas)),
    // Paused speaks of the object; a paused rollout is part of its spec.
    newState('Paused', 'False', 'NotPaused'),
  ];
}

function newAvailableState(deployment: MachineDeployment, availableReplicas: number): NewState {
  const wanted = replicasOf(deployment);
  const required = wanted - rollingLimits(deployment).unavailable;
  if (availableReplicas >= required) return newState('Available', 'True', 'Available');
  const { maxUnavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const why = isOnDelete(deployment)
    ? ''
    : ` (spec.strategy.rollout.maxUnavailable is ${maxUnavailable}, spec.replicas is ${wanted})`;
  const message = `${availableReplicas} available replicas, at least ${required} required${why}`;
  return newState('Available', 'False', 'NotAvailable', message);
}

const stateOf = ({ status }: MachineSet, type: string) => findCondition(status?.v1beta2?.conditions, type);

/** What the sets say of their machines, as if all machines were in one. */
function mergedOfSets(type: string, good: string, sets: readonly MachineSet[]): NewState {
  const states = sets.flatMap((set) => (existing(set) > 0 ? [stateOf(set, type)] : []));
  if (states.length === 0) return newState(type, 'True', 'NoReplicas');
  const wrong = states.filter((state) => state?.status !== 'True');
  if (wrong.length === 0) return newState(type, 'True', good);
  const certain = wrong.some((state) => state?.status === 'False');
  const message = wrong.flatMap((state) => (state?.message ? [state.message] : [])).join('\n');
  return newState(type, certain ? 'False' : 'Unknown', certain ? `Not${good}` : `${good}Unknown`, message);
}

function remediatingState(sets: readonly MachineSet[]): NewState {
  const states = sets.flatMap((set) => stateOf(set, 'Remediating') ?? []);
  const holds = states.some(({ status }) => status === 'True');
  const message = states
    .filter(({ status, message: text }) => text !== '' && (status === 'True') === holds)
    .map(({ message: text }) => text.replace(/by MachineSet\)$/, 'by MachineDeployment/MachineSet)'))
    .join('\n');
  return newState('Remediating', holds ? 'True' : 'False', holds ? 'Remediating' : 'NotRemediating', message);
}

/** Why machines are replaced; a new version before all else. */
function rollingOutState(
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  count: number,
  nowMs: number,
): NewState {
  if (count <= 0) return newState('RollingOut', 'False', 'NotRollingOut');
  const why = new Set(sets.flatMap((set) => (existing(set) > 0 ? differencesFrom(deployment, set, nowMs) : [])));
  const isVersion = (text: string) => Number(text.startsWith('Version'));
  const reasons = [...why].sort((a, b) => isVersion(b) - isVersion(a) || (a < b ? -1 : 1));
  const lines = [`Rolling out ${count} not up-to-date replicas`, ...reasons.map((text) => `* ${text}`)];
  return newState('RollingOut', 'True', 'RollingOut', lines.join('\n'));
}

/** With what stops a set from making machines, if anything does. */
function scalingUpMessage(sets: readonly MachineSet[], replicas: number, wanted: number): string {
  const blocked = sets.flatMap((set) => / is blocked because .*$/.exec(stateOf(set, 'ScalingUp')?.message ?? '') ?? []);
  return `Scaling up from ${replicas} to ${wanted} replicas${blocked[0] ?? ''}`;
}

function deletingMessage(sets: readonly MachineSet[], replicas: number): string {
  if (replicas > 0) return `Deleting ${replicas} ${replicas === 1 ? 'Machine' : 'Machines'}`;
  return sets.length === 0 ? 'Deletion completed' : `Deleting ${sets.length} MachineSets`;
}

/** Every machine is of the current template and available, and the status speaks of the current generation. */
export function isComplete(deployment: MachineDeployment, status: MachineDeploymentStatus): boolean {
  const wanted = replicasOf(deployment);
  return status.updatedReplicas === wanted && status.replicas === wanted && status.availableReplicas === wanted;
}
