import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import { sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { logTime } from '../logs/log-line.ts';
import { textLog } from '../logs/log-source.ts';
import { type ContainerRuntime, type RunResult, StartError } from './container-runtime.ts';

export const simulatedExitCode = 'hypershift-ts.io/simulated-exit-code';
export const simulatedRuntimeSeconds = 'hypershift-ts.io/simulated-runtime-seconds';

export interface SimulatedOptions {
  readonly clock: Clock;
  /** How long containers of pods that are meant to end (Jobs) seem to work. */
  readonly jobSeconds?: number;
  /** How long init containers seem to work. */
  readonly initSeconds?: number;
}

/** How a simulated container will go: when it ends, if at all, and with which code. */
export interface Course {
  readonly endsAfterMs: number | undefined;
  readonly exitCode: number;
}

/** Reads the pod's wishes; without any, only pods meant to end do, and well. */
export function simulatedCourse(
  pod: corev1.Pod,
  role: 'init' | 'sidecar' | 'main',
  { jobSeconds = 1, initSeconds = 0 }: Pick<SimulatedOptions, 'jobSeconds' | 'initSeconds'>,
): Course {
  if (role === 'init') return { endsAfterMs: initSeconds * 1000, exitCode: 0 };
  if (role === 'sidecar') return { endsAfterMs: undefined, exitCode: 0 };
  const annotations = pod.metadata.annotations ?? {};
  const seconds = nonNegative(annotations[simulatedRuntimeSeconds]);
  const exitCode = nonNegative(annotations[simulatedExitCode]);
  const isMeantToEnd = (pod.spec?.restartPolicy ?? 'Always') !== 'Always';
  if (seconds === undefined && exitCode === undefined && !isMeantToEnd) return { endsAfterMs: undefined, exitCode: 0 };
  return { endsAfterMs: (seconds ?? jobSeconds) * 1000, exitCode: Math.min(255, Math.floor(exitCode ?? 0)) };
}

/** Pretends to run anything: nothing executes, probes succeed, and the log says so. */
export function simulatedRuntime(options: SimulatedOptions): ContainerRuntime {
  const { clock } = options;
  return {
    name: 'simulated',
    accepts: () => true,
    async start({ pod, container, role }) {
      const { endsAfterMs, exitCode } = simulatedCourse(pod, role, options);
      const time = logTime(clock.now());
      let end: (result: RunResult) => void = () => {};
      const exited = new Promise<RunResult>((resolve) => {
        end = resolve;
      });
      const timer =
        endsAfterMs === undefined ? undefined : sharedDelayHeap(clock).after(endsAfterMs, () => end({ exitCode }));
      const log = textLog([
        { time, text: `simulated: nothing on this node can run ${container.image}; no process exists` },
      ]);
      return {
        exited,
        log,
        answersProbes: true,
        signal(name) {
          if (timer) timer.callback = undefined;
          // A well-behaved program ends with success when asked to stop.
          end({ exitCode: name === 'SIGKILL' ? 137 : 0 });
        },
        exec: async () => {
          throw new StartError(`container ${container.name} is simulated: no process exists in which to run a command`);
        },
      };
    },
  };
}

function nonNegative(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
