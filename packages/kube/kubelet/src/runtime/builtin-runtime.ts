import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  type ContainerLaunch,
  type ContainerRuntime,
  type RunningContainer,
  type RunResult,
  StartError,
} from './container-runtime.ts';
import { execOnHost, type HostCommands, hostEnvironment } from './host-commands.ts';
import { matchesImage } from './image-pattern.ts';
import { hostPathOf, type Mount } from './mount-paths.ts';
import { type ProbeAnswer, ProgramProbing } from './program-probing.ts';

/** What a program inside this process gets instead of a machine of its own. */
export interface BuiltinContext {
  readonly pod: corev1.Pod;
  readonly container: corev1.Container;
  /** The container's command, when it names one. */
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** Where a path of the container lies on this machine. */
  readonly path: (containerPath: string) => string;
  readonly podIP: string;
  readonly hostIP: string;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Aborts when the container is asked to stop. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The address of a Service by any of its DNS names, or the name itself when it is none. */
  readonly resolveService: (name: string) => string;
  /** Has this container probed at once instead of when the period is over; for when readiness has changed. */
  readonly probeNow: () => void;
  /** Answers HTTP probes of a port by function call instead of through a socket, until the program ends. */
  readonly answerProbes: (port: number, answer: ProbeAnswer) => void;
}

/** A program of ours: returns the exit code, nothing meaning 0. A throw is logged and ends it with 1. */
// biome-ignore lint/suspicious/noConfusingVoidType: a program without a return statement is the usual one
export type BuiltinProgram = (context: BuiltinContext) => Promise<number | void>;

export interface BuiltinEntry {
  readonly name: string;
  /** Patterns as in matchesImage(). */
  readonly images?: readonly string[];
  /** First words of the container's command, compared by their last path element. */
  readonly commands?: readonly string[];
  /** Only containers that leave the command to their image; others of the same image are somebody else's. */
  readonly withoutCommand?: boolean;
  /** First words after the command that are somebody else's to run. */
  readonly except?: readonly string[];
  readonly run: BuiltinProgram;
}

/** The programs this process can run itself. */
export class BuiltinRegistry {
  private readonly entries: BuiltinEntry[] = [];

  register(entry: BuiltinEntry): this {
    this.entries.push(entry);
    return this;
  }

  /** The program for a container. An entry with both images and commands needs both to match. */
  find(container: corev1.Container): BuiltinEntry | undefined {
    const program = container.command?.[0];
    const [, subcommand = ''] = [...(container.command ?? []), ...(container.args ?? [])];
    return this.entries.find(({ images, commands, withoutCommand, except }) => {
      if ((!images && !commands) || except?.includes(subcommand)) return false;
      if (withoutCommand && program !== undefined) return false;
      if (images && !images.some((pattern) => matchesImage(pattern, container.image ?? ''))) return false;
      return !commands || (program !== undefined && commands.includes(basename(program)));
    });
  }
}

export interface BuiltinRuntimeOptions {
  readonly registry: BuiltinRegistry;
  readonly resolveService?: (name: string, namespace: string) => string;
  /** What `kubectl exec` and exec probes may run beside builtin programs; nothing when absent. */
  readonly exec?: HostCommands;
}

/** Runs programs of ours inside this process. */
export function builtinRuntime(options: BuiltinRuntimeOptions): ContainerRuntime {
  return {
    name: 'builtin',
    accepts: (container) => options.registry.find(container) !== undefined,
    async start(launch) {
      const entry = options.registry.find(launch.container);
      if (!entry) throw new StartError(`no builtin program for image ${launch.container.image}`);
      await mkdir(launch.rootDir, { recursive: true, mode: 0o755 });
      return startBuiltin(launch, entry.run, options);
    },
  };
}

function startBuiltin(launch: ContainerLaunch, run: BuiltinProgram, options: BuiltinRuntimeOptions): RunningContainer {
  const { mounts, rootDir, podIP, env, pod } = launch;
  const log = launch.openLog();
  const stdout = log.stream('stdout');
  const stderr = log.stream('stderr');
  // A write error of the log must not end the process that all containers share.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const stopper = new AbortController();
  let abandon: (result: RunResult) => void = () => {};
  const abandoned = new Promise<RunResult>((resolve) => {
    abandon = resolve;
  });
  const probing = new ProgramProbing();
  const context: BuiltinContext = {
    pod,
    container: launch.container,
    command: launch.command,
    args: launch.args,
    env,
    mounts,
    path: (containerPath) => hostPathOf(containerPath, mounts, rootDir),
    podIP,
    hostIP: launch.hostIP,
    stdout,
    stderr,
    signal: stopper.signal,
    clock: launch.clock,
    resolveService: (name) => options.resolveService?.(name, pod.metadata.namespace ?? '') ?? name,
    probeNow: () => probing.wanted(),
    answerProbes: (port, answer) => probing.answers.set(port, answer),
  };
  const ended = (async (): Promise<RunResult> => {
    // Off the caller's stack: a program that computes before its first await must not delay its own start.
    await Promise.resolve();
    try {
      return { exitCode: (await run(context)) ?? 0 };
    } catch (error) {
      if (stopper.signal.aborted && (error as Error)?.name === 'AbortError') return { exitCode: 0 };
      stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      return { exitCode: 1 };
    }
  })();
  const exited = Promise.race([ended, abandoned]).then(async (result) => {
    for (const stream of [stdout, stderr]) {
      stream.end();
      await finished(stream).catch(() => {});
    }
    await log.close();
    return result;
  });
  return {
    exited,
    log,
    probing,
    signal(name) {
      stopper.abort(new DOMException(`container received ${name}`, 'AbortError'));
      // Nothing can force a function to return; it is left to itself and counts as ended.
      if (name === 'SIGKILL') abandon({ exitCode: 137 });
    },
    exec: (command, execOptions) =>
      execOnHost(command, execOptions, options.exec ?? {}, {
        env: hostEnvironment(env, mounts, rootDir, podIP),
        mounts,
        rootDir,
        cwd: rootDir,
      }),
  };
}
