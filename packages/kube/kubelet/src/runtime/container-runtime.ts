import type { Readable, Writable } from 'node:stream';
import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ContainerLog } from '../logs/container-log.ts';
import type { LogSource } from '../logs/log-source.ts';
import type { ContainerRole } from '../pod/container-state.ts';
import type { Mount } from './mount-paths.ts';

export type RuntimeName = 'builtin' | 'process' | 'simulated';

/** Everything a runtime needs to run a container once. */
export interface ContainerLaunch {
  readonly pod: corev1.Pod;
  readonly container: corev1.Container;
  readonly role: ContainerRole;
  /** Absent: what the image would run. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** The container's own directory on this machine. */
  readonly rootDir: string;
  readonly podIP: string;
  readonly hostIP: string;
  readonly clock: Clock;
  /** Opens the log of this run. */
  openLog(): ContainerLog;
}

export interface RunResult {
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
}

/** A container that has been started. */
export interface RunningContainer {
  /** Resolves when the container has ended; never rejects. */
  readonly exited: Promise<RunResult>;
  readonly log: LogSource;
  /** Asks the container to stop (SIGTERM, or another signal by name) or makes it (SIGKILL). */
  signal(name: NodeJS.Signals): void;
  /** Runs a command beside the container; absent when the runtime cannot. */
  exec?(command: readonly string[], options: ExecOptions): Promise<ExecSession>;
  /** Simulated containers answer probes themselves. */
  readonly answersProbes?: boolean;
  /** Programs of this process, which need no sockets to be probed and can say when it is worth to. */
  readonly probing?: EagerProbing;
  /** The container's standard input, when it has one. */
  readonly stdin?: Writable;
}

/** What a container that shares our process offers to whoever probes it. */
export interface EagerProbing {
  /** Calls back when the program says that a probe would now see something new. */
  onWanted(callback: () => void): void;
  /** The status of a GET, asked of the program itself; undefined: ask over the network. */
  answer(port: number, path: string): Promise<number> | undefined;
}

export interface ExecOptions {
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

/** A command that runs beside a container. */
export interface ExecSession {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<RunResult>;
  kill(): void;
}

/** Runs containers of one sort. */
export interface ContainerRuntime {
  readonly name: RuntimeName;
  /** Whether this runtime can run the container. */
  accepts(container: corev1.Container, pod: corev1.Pod): boolean;
  /** Fails with StartError when the container cannot be started. */
  start(launch: ContainerLaunch): Promise<RunningContainer>;
}

/** The container could not even begin. */
export class StartError extends Error {}
