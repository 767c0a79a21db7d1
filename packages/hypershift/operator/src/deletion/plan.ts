import { annotations, type HostedCluster } from '@hypershift-ts/hypershift-api';
import { findCondition, goDurationText, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import { holds, type Verdict } from '../conditions/verdict.ts';
import { ageText } from './age.ts';
import {
  type DeletionStep,
  keepsNamespace,
  lastSteps,
  type LeftOvers,
  type Phase,
  phases,
  type Remaining,
} from './phases.ts';

/** How often an unfinished deletion is looked at when nothing else wakes it. */
const deletionRequeueMs = 5000;

export interface DeletionPlan {
  /** All steps of finished phases and of the one under way, in order. */
  readonly steps: readonly DeletionStep[];
  /** HostedClusterDeleting while it goes on; HostedClusterDestroyed in the grace period. */
  readonly conditions: readonly Verdict[];
  readonly requeueAfterMs?: number;
  readonly finished: boolean;
}

const named = ({ kind, namespace, name }: Remaining) => `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

/** The object that has waited longest: it is the one to look at. */
function oldest(remaining: readonly Remaining[]): Remaining | undefined {
  const key = ({ deletionTimestamp }: Remaining) => deletionTimestamp ?? '9999';
  return remaining.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))[0];
}

/** What is in the way, how long already, and what holds it. */
function blockerText(remaining: readonly Remaining[], now: Date): string | undefined {
  const blocker = oldest(remaining);
  if (!blocker) return undefined;
  const { deletionTimestamp, finalizers = [] } = blocker;
  const others = remaining.length > 1 ? ` and ${remaining.length - 1} more` : '';
  const age = deletionTimestamp ? `, deleting for ${ageText(deletionTimestamp, now)}` : ', deletion requested';
  const holders = finalizers.length > 0 ? `, held by ${finalizers.join(', ')}` : '';
  // In the first minute it is only busy, and what it is busy with changes several times a second.
  const isSlow = deletionTimestamp !== undefined && now.getTime() - Date.parse(deletionTimestamp) >= 60_000;
  const detail = isSlow && blocker.detail ? ` (${blocker.detail})` : '';
  return `${named(blocker)}${others}${age}${holders}${detail}`;
}

/** One line: the phase, and the chain of what is waited for. */
function progressText(phase: string, chain: readonly (readonly Remaining[])[], now: Date): string {
  const blockers = chain.flatMap((remaining) => blockerText(remaining, now) ?? []);
  return blockers.length > 0 ? `${phase}: waiting for ${blockers.join(', which waits for ')}` : phase;
}

/** The phase whose wait is not over. */
function phaseUnderWay(active: readonly Phase[], left: LeftOvers): number {
  return active.findIndex(({ waitsFor }) => waitsFor.some((kind) => left[kind].length > 0));
}

/** NodePools die together with the Cluster of Cluster API, so the phase is told by what of the two is left. */
function blockers(
  { reason, waitsFor }: Phase,
  left: LeftOvers,
): readonly [reason: string, chain: readonly (readonly Remaining[])[]] {
  const kind = waitsFor.find((one) => left[one].length > 0);
  if (!kind) return [reason, []];
  if (kind === 'nodePools') return ['WaitingForNodePoolDeletion', [left.nodePools]];
  // Cluster API deletes the control plane once the machines are gone, and its Cluster waits for that.
  const controlPlane = left.hostedControlPlane.filter(({ deletionTimestamp }) => deletionTimestamp);
  return [reason, kind === 'clusterApiCluster' ? [left[kind], controlPlane] : [left[kind]]];
}

/** What deletion does next and what it tells. Depends on nothing but what is left, so it resumes after any crash. */
export function deletionPlan(cluster: HostedCluster, left: LeftOvers, now: Date): DeletionPlan {
  const keep = keepsNamespace(cluster);
  const active = phases.map((phase) =>
    keep && phase.waitsFor.includes('namespace')
      ? { ...phase, steps: phase.steps.filter((step) => step !== 'delete-namespace'), waitsFor: [] }
      : phase,
  );
  const current = phaseUnderWay(active, left);
  const phase = active[current];
  if (phase) {
    const [reason, chain] = blockers(phase, left);
    return {
      steps: active.slice(0, current + 1).flatMap(({ steps }) => steps),
      conditions: [
        {
          type: 'HostedClusterDeleting',
          status: 'True',
          reason,
          message: progressText(`step ${current + 1} of ${active.length}`, chain, now),
        },
      ],
      requeueAfterMs: deletionRequeueMs,
      finished: false,
    };
  }
  return lastPlan(cluster, [...active.flatMap(({ steps }) => steps), ...lastSteps], now);
}

/** Everything is gone; the object may be asked to stay for a while so that others can see how it ended. */
function lastPlan(cluster: HostedCluster, steps: readonly DeletionStep[], now: Date): DeletionPlan {
  const grace = parseGoDuration(cluster.metadata.annotations?.[annotations.destroyGracePeriod.key]);
  const destroyed = findCondition(cluster.status?.conditions, 'HostedClusterDestroyed');
  const since = destroyed?.status === 'True' ? destroyed.lastTransitionTime : undefined;
  const elapsed = since === undefined ? 0 : now.getTime() - new Date(since).getTime();
  if (grace === undefined || grace <= 0 || (since !== undefined && elapsed >= grace))
    return { steps: [...steps, 'remove-finalizer'], conditions: [], finished: true };
  const message = `Grace period set: ${goDurationText(grace)}`;
  return {
    steps,
    conditions: [holds('HostedClusterDestroyed', message, 'WaitingForGracePeriod')],
    requeueAfterMs: grace - elapsed,
    finished: false,
  };
}
