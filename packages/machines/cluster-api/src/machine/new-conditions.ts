import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { type NewState, newState } from '../conditions/v1beta2.ts';
import type { Machine, MachineStatus } from '../generated/capiv1beta1.ts';
import { healthOf } from './conditions.ts';
import type { MachineFacts } from './facts.ts';

/** The v1beta2 conditions of a Machine. */
export function newConditionsOf(machine: Machine, status: MachineStatus, facts: MachineFacts): readonly NewState[] {
  const sources = [
    deletingState(facts),
    bootstrapState(machine, facts),
    infrastructureState(machine, status, facts),
    ...nodeStates(machine, facts),
  ];
  const ready = readyState(machine, sources);
  return [
    ...sources,
    ready,
    availableState(machine, ready, facts),
    ...(facts.upToDate === undefined
      ? []
      : [newState('UpToDate', facts.upToDate ? 'True' : 'False', facts.upToDate ? 'UpToDate' : 'NotUpToDate')]),
    newState('Paused', 'False', 'NotPaused'),
  ];
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
  if (!bootstrapExists)
    return newState(type, 'False', 'DoesNotExist', `${configRef.kind} ${configRef.name} does not exist`);
  return bootstrap?.ready
    ? newState(type, 'True', 'Ready')
    : newState(
        type,
        'False',
        'NotReady',
        bootstrap?.condition?.message ?? `waiting for ${configRef.kind} ${configRef.name}`,
      );
}

function infrastructureState(machine: Machine, status: MachineStatus, { infrastructure }: MachineFacts): NewState {
  const type = 'InfrastructureReady';
  const { kind, name } = machine.spec.infrastructureRef;
  if (!infrastructure) {
    return status.infrastructureReady
      ? newState(type, 'False', 'Deleted', `${kind} has been deleted`)
      : newState(type, 'False', 'DoesNotExist', `${kind} does not exist`);
  }
  const { ready, provisioned } = infrastructure;
  if (ready ? ready.status === 'True' : provisioned) return newState(type, 'True', 'Ready', ready?.message ?? '');
  return newState(type, 'False', 'NotReady', ready?.message ?? `waiting for ${kind} ${name} to be provisioned`);
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
    return both('Unknown', 'NodeDoesNotExist', wait);
  }
  const ready = findCondition(node.node.status?.conditions, 'Ready');
  const value = ready?.status === 'True' ? 'True' : ready?.status === 'False' ? 'False' : 'Unknown';
  const health = healthOf(node.node);
  return [
    newState(
      'NodeReady',
      value,
      value === 'True' ? 'NodeReady' : value === 'False' ? 'NodeNotReady' : 'NodeReadyUnknown',
      value === 'True' ? '' : `* Node.Ready: ${ready?.message ?? 'the kubelet has not reported yet'}`,
    ),
    newState(
      'NodeHealthy',
      health.status as NewState['status'],
      health.status === 'True' ? 'NodeHealthy' : health.status === 'False' ? 'NodeNotHealthy' : 'NodeHealthUnknown',
      health.message ?? '',
    ),
  ];
}

function withoutTime({ type, status, reason, message }: NewState): NewState {
  return { type, status, reason, message };
}

/** Ready: everything it stands for holds, health checks and the user's own gates included. */
function readyState(machine: Machine, sources: readonly NewState[]): NewState {
  const conditions = machine.status?.v1beta2?.conditions;
  const checks = findCondition(machine.status?.conditions, 'HealthCheckSucceeded');
  const problems: string[] = [];
  let unknown = false;
  for (const { type, status, reason, message } of sources) {
    const good = type === 'Deleting' ? 'False' : 'True';
    if (status === good || type === 'NodeReady') continue;
    if (status === 'Unknown') unknown = true;
    problems.push(`* ${type}: ${message || reason}`);
  }
  if (checks?.status === 'False') problems.push(`* HealthCheckSucceeded: ${checks.message ?? checks.reason ?? ''}`);
  for (const { conditionType } of machine.spec.readinessGates ?? []) {
    const gate = findCondition(conditions, conditionType);
    if (gate?.status !== 'True') problems.push(`* ${conditionType}: ${gate?.message ?? 'Condition not yet reported'}`);
  }
  if (problems.length === 0) return newState('Ready', 'True', 'Ready');
  const known = !unknown || problems.length > 1;
  return newState('Ready', known ? 'False' : 'Unknown', known ? 'NotReady' : 'ReadyUnknown', problems.join('\n'));
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
