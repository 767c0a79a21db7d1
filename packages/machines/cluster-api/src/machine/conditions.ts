import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { falseState, mirror, type State, trueState, unknownState } from '../conditions/v1beta1.ts';
import type { Machine, MachineStatus } from '../generated/capiv1beta1.ts';
import type { MachineFacts } from './facts.ts';
import { oldNodeHealth } from './node-health.ts';

/** The v1beta1 conditions of a Machine, without the summary. */
export function conditionsOf(machine: Machine, status: MachineStatus, facts: MachineFacts): readonly State[] {
  return [
    infrastructureState(machine, status, facts),
    ...bootstrapState(machine, facts),
    ...nodeState(machine, status, facts),
    ...(facts.deletion?.states ?? []),
  ];
}

function infrastructureState(
  machine: Machine,
  status: MachineStatus,
  { infrastructure, deletion }: MachineFacts,
): State {
  const type = 'InfrastructureReady';
  const { kind, name } = machine.spec.infrastructureRef;
  if (!infrastructure) {
    if (deletion) return falseState(type, 'Deleted', 'Info', `${kind} ${name} has been deleted`);
    return status.infrastructureReady
      ? falseState(type, 'Deleted', 'Error', `${kind} ${name} has been deleted while the Machine still needs it`)
      : falseState(type, 'WaitingForInfrastructure', 'Info', `${kind} ${name} does not exist yet`);
  }
  const fallback = infrastructure.provisioned ? trueState(type) : falseState(type, 'WaitingForInfrastructure', 'Info');
  return mirror(type, infrastructure.ready, fallback);
}

/** A Machine that was given its data Secret by name has no such condition at all. */
function bootstrapState({ spec }: Machine, { bootstrap }: MachineFacts): readonly State[] {
  if (!spec.bootstrap.configRef) return [];
  const type = 'BootstrapReady';
  const waiting = falseState(type, 'WaitingForDataSecret', 'Info');
  return [mirror(type, bootstrap?.condition, bootstrap?.ready ? trueState(type) : waiting)];
}

function nodeState(machine: Machine, status: MachineStatus, { node }: MachineFacts): readonly State[] {
  const type = 'NodeHealthy';
  if (!machine.spec.providerID) return [falseState(type, 'WaitingForNodeRef', 'Info')];
  if (!node.known) {
    // What was last seen stays until the cluster can be asked again.
    return findCondition(status.conditions, type) ? [] : [unknownState(type, 'NodeInspectionFailed', node.message)];
  }
  if (node.node) return [oldNodeHealth(node.node)];
  if (!machine.status?.nodeRef) {
    const message = 'Waiting for a node with matching ProviderID to exist';
    return [falseState(type, 'NodeProvisioning', 'Warning', message)];
  }
  const message = `Node ${machine.status.nodeRef.name} has been deleted while the Machine still exists`;
  return [falseState(type, 'NodeNotFound', 'Error', message)];
}
