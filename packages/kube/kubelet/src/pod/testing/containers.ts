import type { ContainerPhase, ContainerView } from '../container-state.ts';

/** A container that has not started yet. */
export function aContainer(name: string, more: Partial<ContainerView> = {}): ContainerView {
  return {
    name,
    role: 'main',
    phase: waiting('ContainerCreating'),
    last: undefined,
    restartCount: 0,
    started: false,
    ready: false,
    image: 'example.org/app:v1',
    imageId: 'simulated://example.org/app:v1',
    stopping: false,
    ...more,
  };
}

export function waiting(reason: string): ContainerPhase {
  return { kind: 'waiting', reason };
}

export function running(startedMs = 0): ContainerPhase {
  return { kind: 'running', startedMs, containerId: 'hypershift-ts://1' };
}

export function exited(exitCode: number): Extract<ContainerPhase, { kind: 'exited' }> {
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return {
    kind: 'exited',
    exit: { exitCode, reason, startedMs: 0, finishedMs: 1000, containerId: 'hypershift-ts://1' },
  };
}
