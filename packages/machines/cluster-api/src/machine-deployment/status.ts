import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { selectorFor } from '@hypershift-ts/kube-controllers';
import { falseState, mirror, type State, summary, trueState, withStates } from '../conditions/v1beta1.ts';
import { flagState, type NewState, newState, withNewStates } from '../conditions/v1beta2.ts';
import type { MachineDeployment, MachineDeploymentStatus, MachineSet } from '../generated/capiv1beta1.ts';
import { available, existing, replicasOf, rollingLimits, sum } from './limits.ts';

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
    phase: phaseOf(deployment, all, readyReplicas, availableReplicas),
    conditions: withStates(
      before.conditions,
      [...states, summary('Ready', states, { of: ['Available', 'MachineSetReady'] })],
      nowMs,
    ),
    v1beta2: {
      readyReplicas: sum(all, ({ status }) => status?.v1beta2?.readyReplicas ?? 0),
      availableReplicas: sum(all, ({ status }) => status?.v1beta2?.availableReplicas ?? 0),
      upToDateReplicas: sum(all, ({ status }) => status?.v1beta2?.upToDateReplicas ?? 0),
      conditions: withNewStates(
        before.v1beta2?.conditions,
        newStatesOf(deployment, all, updatedReplicas),
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

function phaseOf(
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  ready: number,
  availableReplicas: number,
): NonNullable<MachineDeploymentStatus['phase']> {
  if (sets.some(({ status }) => status?.failureReason || status?.failureMessage)) return 'Failed';
  if (availableReplicas > sum(sets, replicasOf)) return 'ScalingDown';
  if (replicasOf(deployment) === ready) return 'Running';
  return replicasOf(deployment) > ready ? 'ScalingUp' : 'ScalingDown';
}

function newStatesOf(deployment: MachineDeployment, sets: readonly MachineSet[], updated: number): readonly NewState[] {
  const replicas = sum(sets, existing);
  const availableReplicas = sum(sets, available);
  const notReady = replicas - sum(sets, ({ status }) => status?.v1beta2?.readyReplicas ?? 0);
  const remediating = sets.filter(({ status }) => isConditionTrue(status?.v1beta2?.conditions, 'Remediating'));
  const wanted = replicasOf(deployment);
  const rolling = replicas > updated;
  const required = wanted - rollingLimits(deployment).unavailable;
  const enough = availableReplicas >= required;
  const deleting = deployment.metadata.deletionTimestamp !== undefined;
  return [
    newState(
      'Available',
      enough ? 'True' : 'False',
      enough ? 'Available' : 'NotAvailable',
      enough ? '' : `${availableReplicas} available replicas, at least ${required} required`,
    ),
    countState('MachinesReady', replicas, notReady, ['Ready', 'NotReady'], 'not ready'),
    countState('MachinesUpToDate', replicas, replicas - updated, ['UpToDate', 'NotUpToDate'], 'not up-to-date'),
    flagState(
      'Remediating',
      remediating.length > 0,
      remediating.map(({ metadata }) => `MachineSet ${metadata.name}`).join(', '),
    ),
    flagState('RollingOut', rolling, `Rolling out ${replicas - updated} not up-to-date replicas`),
    flagState('ScalingUp', replicas < wanted, `Scaling up from ${replicas} to ${wanted} replicas`),
    flagState('ScalingDown', replicas > wanted, `Scaling down from ${replicas} to ${wanted} replicas`),
    flagState('Deleting', deleting, 'MachineSets are being deleted'),
    flagState('Paused', deployment.spec.paused === true, ''),
  ];
}

function countState(
  type: string,
  total: number,
  wrong: number,
  [good, bad]: readonly [string, string],
  what: string,
): NewState {
  if (total === 0) return newState(type, 'True', 'NoReplicas');
  if (wrong <= 0) return newState(type, 'True', good);
  return newState(type, 'False', bad, `${wrong} of ${total} Machines are ${what}`);
}

/** Every machine is of the current template and available, and the status speaks of the current generation. */
export function isComplete(deployment: MachineDeployment, status: MachineDeploymentStatus): boolean {
  const wanted = replicasOf(deployment);
  return status.updatedReplicas === wanted && status.replicas === wanted && status.availableReplicas === wanted;
}
