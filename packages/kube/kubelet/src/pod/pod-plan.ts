import type { ContainerView } from './container-state.ts';

export interface PlanInput {
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  /** In the order of containersOf(). */
  readonly containers: readonly ContainerView[];
  /** Milliseconds a container that ended has to wait before its next start; 0 when it may start. */
  readonly backOffOf: (container: ContainerView) => number;
}

/** What has to happen to a pod's containers now. */
export interface PodPlan {
  readonly start: readonly ContainerView[];
  /** Containers held back, with the time left. */
  readonly backingOff: readonly { readonly container: ContainerView; readonly remainingMs: number }[];
  /** No main container will run again: sidecars may go, and the pod ends with this phase. */
  readonly finished: 'Succeeded' | 'Failed' | undefined;
}

interface Draft {
  start: ContainerView[];
  backingOff: { container: ContainerView; remainingMs: number }[];
  finished: 'Succeeded' | 'Failed' | undefined;
}

/** Decides what to start. Pure, so that it can be asked at any moment and as often as one likes. */
export function planPod(input: PlanInput): PodPlan {
  const plan: Draft = { start: [], backingOff: [], finished: undefined };
  const main = input.containers.filter(({ role }) => role === 'main');
  const isInitialized = main.some((container) => hasRun(container));
  if (!isInitialized && !planInitialization(input, plan)) return plan;
  if (isInitialized) {
    for (const container of input.containers)
      if (container.role === 'sidecar' && container.phase.kind !== 'running') startOrWait(input, container, plan);
  }
  planMain(input, main, plan);
  return plan;
}

/** Plans init containers and sidecars; true when all of them are far enough for the main containers. */
function planInitialization(input: PlanInput, plan: Draft): boolean {
  for (const container of input.containers) {
    if (container.role === 'main') break;
    const { phase } = container;
    if (container.role === 'sidecar') {
      if (phase.kind === 'running') {
        if (container.started) continue;
        return false;
      }
      startOrWait(input, container, plan);
      return false;
    }
    const exit = lastExitOf(container);
    if (phase.kind === 'running') return false;
    if (exit?.exitCode === 0) continue;
    if (exit && input.restartPolicy === 'Never') {
      plan.finished = 'Failed';
      return false;
    }
    startOrWait(input, container, plan);
    return false;
  }
  return true;
}

function planMain(input: PlanInput, main: readonly ContainerView[], plan: Draft): void {
  let over = 0;
  let failed = false;
  for (const container of main) {
    if (container.phase.kind === 'running') continue;
    const exit = lastExitOf(container);
    if (exit && !restarts(input.restartPolicy, exit.exitCode)) {
      over++;
      failed ||= exit.exitCode !== 0;
    } else startOrWait(input, container, plan);
  }
  if (over === main.length) {
    plan.finished = failed ? 'Failed' : 'Succeeded';
    // Sidecars that crashed stay down now.
    plan.start = [];
    plan.backingOff = [];
  }
}

function startOrWait(input: PlanInput, container: ContainerView, plan: Draft): void {
  const remainingMs = lastExitOf(container) ? input.backOffOf(container) : 0;
  if (remainingMs > 0) plan.backingOff.push({ container, remainingMs });
  else plan.start.push(container);
}

function restarts(policy: PlanInput['restartPolicy'], exitCode: number): boolean {
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** How the container ended last, unless it runs. */
export function lastExitOf(container: ContainerView): ContainerView['last'] {
  if (container.phase.kind === 'exited') return container.phase.exit;
  return container.phase.kind === 'waiting' ? container.last : undefined;
}

function hasRun(container: ContainerView): boolean {
  return container.phase.kind !== 'waiting' || container.last !== undefined;
}
