import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ContainerExit, ContainerPhase } from './container-state.ts';

/** What an earlier kubelet reported about a container, as far as it still matters. */
export interface RestoredState {
  readonly phase: ContainerPhase | undefined;
  readonly last: ContainerExit | undefined;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly started: boolean;
}

/** Reads a container's status back. A container that "runs" without us knowing it is gone, unless it never was a process. */
export function restoredState(status: corev1.ContainerStatus, isSimulated: boolean, nowMs: number): RestoredState {
  const { state, lastState, restartCount } = status;
  const base = { restartCount, last: exitOf(lastState?.terminated), ready: false, started: false };
  if (state?.terminated) return { ...base, phase: { kind: 'exited', exit: exitOf(state.terminated) as ContainerExit } };
  if (!state?.running) return { ...base, phase: undefined };
  const startedMs = timeOf(state.running.startedAt) ?? nowMs;
  const containerId = status.containerID ?? '';
  if (isSimulated)
    return {
      ...base,
      phase: { kind: 'running', startedMs, containerId },
      ready: status.ready,
      started: status.started ?? false,
    };
  const exit: ContainerExit = {
    exitCode: 255,
    reason: 'Unknown',
    message: 'the container ended while its kubelet was away',
    startedMs,
    finishedMs: nowMs,
    containerId,
  };
  return { ...base, phase: { kind: 'exited', exit } };
}

function exitOf(terminated: corev1.ContainerStateTerminated | undefined): ContainerExit | undefined {
  if (!terminated) return undefined;
  return {
    exitCode: terminated.exitCode,
    reason: terminated.reason ?? '',
    ...(terminated.message ? { message: terminated.message } : {}),
    startedMs: timeOf(terminated.startedAt) ?? 0,
    finishedMs: timeOf(terminated.finishedAt) ?? 0,
    containerId: terminated.containerID ?? '',
  };
}

function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
