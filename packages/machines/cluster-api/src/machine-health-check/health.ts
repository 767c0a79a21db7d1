import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition, goDurationText, isConditionTrue, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import type { Cluster, ClusterStatusCondition, Machine, MachineHealthCheckSpec } from '../generated/capiv1beta1.ts';
import { annotations, hasAnnotation } from '../keys.ts';

/** One Machine under a health check; `node` is absent while there is none. */
export interface Target {
  readonly machine: Machine;
  readonly node: corev1.Node | undefined;
}

export type Health =
  | { readonly state: 'healthy'; readonly nextLookMs?: number }
  /** Not well, but not for long enough yet. */
  | { readonly state: 'pending'; readonly nextLookMs?: number }
  | { readonly state: 'unhealthy'; readonly reason: string; readonly message: string };

const defaultStartupMs = 10 * 60_000;

/** Nothing is held against a machine before its cluster can take nodes at all. */
function isClusterUp({ status }: Cluster): boolean {
  return (
    isConditionTrue(status?.conditions, 'ControlPlaneInitialized') &&
    isConditionTrue(status?.conditions, 'InfrastructureReady')
  );
}

export function healthOf(
  { machine, node }: Target,
  check: MachineHealthCheckSpec,
  cluster: Cluster,
  nowMs: number,
): Health {
  if (hasAnnotation(machine, annotations.remediateMachine)) {
    const message = 'Marked for remediation via remediate-machine annotation';
    return { state: 'unhealthy', reason: 'HasRemediateMachineAnnotation', message };
  }
  if (machine.metadata.deletionTimestamp) return { state: 'pending' };
  if (!isClusterUp(cluster)) return node ? { state: 'healthy' } : { state: 'pending' };
  const { failureReason, failureMessage } = machine.status ?? {};
  if (failureReason || failureMessage) {
    const message = failureReason ? `FailureReason: ${failureReason}` : `FailureMessage: ${failureMessage}`;
    return { state: 'unhealthy', reason: 'MachineHasFailure', message };
  }
  if (machine.status?.nodeRef && !node) {
    return {
      state: 'unhealthy',
      reason: 'NodeNotFound',
      message: `Node ${machine.status.nodeRef.name} has been deleted`,
    };
  }
  return node ? nodeHealth(node, check, nowMs) : startupHealth(machine, check, cluster, nowMs);
}

/** A machine has this long to become a node, counted from when nothing else held it up any more. */
function startupHealth(machine: Machine, check: MachineHealthCheckSpec, cluster: Cluster, nowMs: number): Health {
  const timeout =
    check.nodeStartupTimeout === undefined
      ? defaultStartupMs
      : (parseGoDuration(check.nodeStartupTimeout) ?? defaultStartupMs);
  if (timeout === 0) return { state: 'pending' };
  const since = (time: string | undefined) => (time ? Date.parse(time) : 0);
  const whenTrue = (conditions: readonly ClusterStatusCondition[] | undefined, type: string) => {
    const condition = findCondition(conditions, type);
    return condition?.status === 'True' ? since(condition.lastTransitionTime) : 0;
  };
  const base = Math.max(
    since(machine.metadata.creationTimestamp),
    whenTrue(cluster.status?.conditions, 'ControlPlaneInitialized'),
    whenTrue(cluster.status?.conditions, 'InfrastructureReady'),
    whenTrue(machine.status?.conditions, 'InfrastructureReady'),
  );
  const left = base + timeout - nowMs;
  if (left >= 0) return { state: 'pending', nextLookMs: left + 1000 };
  const message = `Node failed to report startup in ${goDurationText(timeout)}`;
  return { state: 'unhealthy', reason: 'NodeStartupTimeout', message };
}

function nodeHealth(node: corev1.Node, check: MachineHealthCheckSpec, nowMs: number): Health {
  let soonest = Number.POSITIVE_INFINITY;
  for (const { type, status, timeout } of check.unhealthyConditions ?? []) {
    const condition = findCondition(node.status?.conditions, type);
    if (!condition || condition.status !== status) continue;
    const limit = parseGoDuration(timeout) ?? 0;
    const left = Date.parse(condition.lastTransitionTime ?? '') + limit - nowMs;
    if (left < 0) {
      const reported = `is reporting status ${status} with reason ${condition.reason ?? ''}`;
      const message = `Condition ${type} on Node ${reported} for more than ${goDurationText(limit)}`;
      return { state: 'unhealthy', reason: 'UnhealthyNode', message };
    }
    soonest = Math.min(soonest, left + 1000);
  }
  return Number.isFinite(soonest) ? { state: 'pending', nextLookMs: soonest } : { state: 'healthy' };
}
