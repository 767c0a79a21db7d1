import { type Clock, type corev1, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { ContainerView } from './container-state.ts';

/** Longer than programs of this process take from one step of their start to the next; shorter than anybody looks. */
const gatherMs = 500;

const ordinaryWaits = new Set(['ContainerCreating', 'PodInitializing']);

/**
 * Whether a pod is on its way from assigned to ready and all goes well: what it says now is about to be overtaken. News
 * of any other sort (ready, unready, trouble, an end) is not.
 */
export function isStarting(pod: corev1.Pod, containers: readonly ContainerView[]): boolean {
  if (isConditionTrue(pod.status?.conditions, 'Ready')) return false;
  return containers.every(isWell) && containers.some(({ role, ready }) => role !== 'init' && !ready);
}

function isWell({ role, phase, restartCount }: ContainerView): boolean {
  if (restartCount > 0) return false;
  if (phase.kind === 'waiting') return ordinaryWaits.has(phase.reason);
  return phase.kind === 'running' || (role === 'init' && phase.exit.exitCode === 0);
}

/** Steps of a start that follow each other quickly are told together. */
export class StartSteps {
  private readonly clock: Clock;
  private sinceMs: number | undefined;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** How much longer the status may wait; undefined when it is to be written now. */
  waitMs(pod: corev1.Pod, containers: readonly ContainerView[]): number | undefined {
    const now = this.clock.now();
    if (isStarting(pod, containers)) {
      this.sinceMs ??= now;
      const left = this.sinceMs + gatherMs - now;
      if (left > 0) return left;
    }
    this.sinceMs = undefined;
    return undefined;
  }
}
