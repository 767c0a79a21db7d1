import type { ContainerView } from './container-state.ts';
import { lastExitOf } from './pod-plan.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The phase that follows from the containers, as kubelet computes it. */
export function phaseOf(
  restartPolicy: 'Always' | 'OnFailure' | 'Never',
  containers: readonly ContainerView[],
): PodPhase {
  const main = containers.filter(({ role }) => role === 'main');
  const hasStarted = main.some(({ phase, last }) => phase.kind !== 'waiting' || last);
  if (!hasStarted) {
    for (const { role, phase, last } of containers) {
      if (role !== 'init') continue;
      const exit = phase.kind === 'exited' ? phase.exit : last;
      if (exit && exit.exitCode !== 0 && phase.kind !== 'running' && restartPolicy === 'Never') return 'Failed';
    }
    return 'Pending';
  }
  let running = 0;
  let stopped = 0;
  let succeeded = 0;
  for (const container of main) {
    if (container.phase.kind === 'running') running++;
    else {
      const exit = lastExitOf(container);
      // One container that never started keeps the whole pod pending.
      if (!exit) return 'Pending';
      stopped++;
      if (exit.exitCode === 0) succeeded++;
    }
  }
  if (running > 0) return 'Running';
  const sidecarsLeft = containers.some(({ role, phase }) => role === 'sidecar' && phase.kind === 'running');
  if (restartPolicy === 'Always' || sidecarsLeft) return 'Running';
  if (stopped === succeeded) return 'Succeeded';
  return restartPolicy === 'Never' ? 'Failed' : 'Running';
}
