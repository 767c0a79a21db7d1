import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { nested } from '../conditions/merged.ts';
import { type NewState, newState } from '../conditions/v1beta2.ts';
import type { Machine, MachineStatus } from '../generated/capiv1beta1.ts';
import { nodeHealth } from './node-health.ts';
import type { MachineFacts } from './facts.ts';

/** The v1beta2 conditions of a Machine. */
export function newConditionsOf(machine: Machine, status: MachineStatus, facts: MachineFacts): readonly NewState[] {
  const sources = [
    deletingState(facts),
    bootstrapState(machine, facts),
    infrastructureState(machine, status, facts),
    ...nodeStates(machine, facts),
  ];
  const ready = readyState(machine, sources, facts);
  return [
    ...sources,
    ready,
    availableState(machine, ready, facts),
    ...upToDateState(facts),
    newState('Updating', 'False', 'NotUpdating'),
    newState('Paused', 'False', 'NotPaused'),
  ];
}

function upToDateState({ notUpToDate }: MachineFacts): readonly NewState[] {
  if (notUpToDate === undefined) return [];
  if (notUpToDate.length === 0) return [newState('UpToDate', 'True', 'UpToDate')];
  return [newState('UpToDate', 'False', 'NotUpToDate', notUpToDate.map((what) => `* ${what}`).join('\n'))];
}

function deletingState({ deletion }: MachineFacts): NewState {
  return deletion
    ? newState('Deleting', 'True', deletion.reason, deletion.message)
    : newState('Deleting', 'False', 'NotDeleting');
}

function bootstrapState({ spec }: Machine, { bootstrap, bootstrapExists }: MachineFacts): NewState {
  const type = 'BootstrapConfigReady';
  const { configRef } = spec.bootstrap;
  if (!configRef) return newState(type, 'True', 'DataSecretProvided');
  if (!bootstrapExists) return newState(type, 'False', 'ObjectDoesNotExist', `${configRef.kind} does not exist`);
  return bootstrap?.ready
    ? newState(type, 'True', 'Ready')
    : newState(
        type,
        'False',
        'NotReady',
        bootstrap?.condition?.message ?? `${configRef.kind} status.initialization.dataSecretCreated is false`,
      );
}

function infrastructureState(machine: Machine, status: MachineStatus, { infrastructure }: MachineFacts): NewState {
  const type = 'InfrastructureReady';
  const { kind } = machine.spec.infrastructureRef;
  if (!infrastructure) {
    const still = machine.metadata.deletionTimestamp ? '' : ' while the Machine still exists';
    return status.infrastructureReady
      ? newState(type, 'False', 'ObjectDeleted', `${kind} has been deleted${still}`)
      : newState(type, 'False', 'ObjectDoesNotExist', `${kind} does not exist`);
  }
  const { ready, provisioned } = infrastructure;
  if (ready ? ready.status === 'True' : provisioned) return newState(type, 'True', 'Ready', ready?.message ?? '');
  return newState(type, 'False', 'NotReady', ready?.message ?? `${kind} status.initialization.provisioned is false`);
}

function nodeStates(machine: Machine, { node }: MachineFacts): readonly NewState[] {
  const both = (status: NewState['status'], reason: string, message: string) => [
    newState('NodeReady', status, reason, message),
    newState('NodeHealthy', status, reason, message),
  ];
  const { providerID, infrastructureRef } = machine.spec;
  if (!node.known) {
    const known = ['NodeReady', 'NodeHealthy'].map((type) => findCondition(machine.status?.v1beta2?.conditions, type));
    const [ready, healthy] = known;
    return ready && healthy ? [ready, healthy].map(withoutTime) : both('Unknown', node.reason, node.message);
  }
  if (!node.node) {
    const { nodeRef } = machine.status ?? {};
    if (nodeRef)
      return both('False', 'NodeDeleted', `Node ${nodeRef.name} has been deleted while the Machine still exists`);
    const wait = providerID
      ? `Waiting for a Node with spec.providerID ${providerID} to exist`
      : `Waiting for ${infrastructureRef.kind} to report spec.providerID`;
    return both('Unknown', 'InspectionFailed', wait);
  }
  const ready = findCondition(node.node.status?.conditions, 'Ready');
  const value = ready?.status === 'True' ? 'True' : ready?.status === 'False' ? 'False' : 'Unknown';
  return [
    newState(
      'NodeReady',
      value,
      value === 'True' ? 'NodeReady' : value === 'False' ? 'NodeNotReady' : 'NodeReadyUnknown',
      value === 'True' ? '' : `* Node.Ready: ${ready?.message ?? 'Condition not yet reported'}`,
    ),
    nodeHealth(node.node),
  ];
}

function withoutTime({ type, status, reason, message }: NewState): NewState {
  return { type, status, reason, message };
}

/** What a deletion leaves behind is no trouble of its own. */
const expectedWhileDeleting = ['ObjectDeleted', 'ObjectDoesNotExist', 'NodeDeleted', 'NodeDoesNotExist'];
const longDeletionMs = 15 * 60_000;

/** Without details that differ from machine to machine: sets tell this of all their machines together. */
function deletionInShort({ metadata }: Machine, reason: string, nowMs: number): string {
  const since = Date.parse(metadata.deletionTimestamp ?? '');
  const long = nowMs - since > longDeletionMs ? ' since more than 15m' : '';
  return `Machine deletion in progress${long}, stage: ${reason}`;
}

/** Ready: everything it stands for holds, health checks and the user's own gates included. */
function readyState(machine: Machine, sources: readonly NewState[], { nowMs }: MachineFacts): NewState {
  const conditions = machine.status?.v1beta2?.conditions;
  const checked = findCondition(conditions, 'HealthCheckSucceeded');
  const gates = (machine.spec.readinessGates ?? []).map(
    ({ conditionType: type }) =>
      findCondition(conditions, type) ?? newState(type, 'Unknown', 'NotYetReported', 'Condition not yet reported'),
  );
  const problems: string[] = [];
  let certain = false;
  for (const { type, status, reason, message } of [...sources, ...(checked ? [checked] : []), ...gates]) {
    const good = type === 'Deleting' ? 'False' : 'True';
    if (status === good || type === 'NodeReady') continue;
    if (machine.metadata.deletionTimestamp && expectedWhileDeleting.includes(reason)) continue;
    certain ||= status !== 'Unknown';
    const text = type === 'Deleting' ? deletionInShort(machine, reason, nowMs) : message || reason;
    problems.push(`* ${type}:${nested(text)}`);
  }
  if (problems.length === 0) return newState('Ready', 'True', 'Ready');
  return newState('Ready', certain ? 'False' : 'Unknown', certain ? 'NotReady' : 'ReadyUnknown', problems.join('\n'));
}

function availableState(machine: Machine, ready: NewState, { minReadySeconds, nowMs }: MachineFacts): NewState {
  if (ready.status !== 'True') return newState('Available', 'False', 'NotReady');
  if (minReadySeconds === 0) return newState('Available', 'True', 'Available');
  const before = findCondition(machine.status?.v1beta2?.conditions, 'Ready');
  const since = before?.status === 'True' ? Date.parse(before.lastTransitionTime) : nowMs;
  return since + minReadySeconds * 1000 <= nowMs
    ? newState('Available', 'True', 'Available')
    : newState('Available', 'False', 'WaitingForMinReadySeconds');
}
