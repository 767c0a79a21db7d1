import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { RunResult } from './container-runtime.ts';
import { StartError } from './container-runtime.ts';

export interface HostProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: boolean;
}

/** A host process with all its descendants that stay in its group. */
export interface HostProcess {
  readonly pid: number;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has ended and its output was delivered. */
  readonly exited: Promise<RunResult>;
  signal(name: NodeJS.Signals): void;
}

/** After a process ended, output of descendants that hold its pipes is waited for no longer than this. */
const lingerMs = 2_000;

/** Starts a program as leader of its own process group, so that all of it can be ended at once. */
export async function startHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  const child = spawn(options.program, options.args, {
    cwd: options.cwd,
    env: { ...options.env },
    detached: true,
    stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const exited = exitOf(child);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(startFailure(options.program, error))));
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || !stdout || !stderr) throw new StartError(`${options.program} did not start`);
  // Writing to a process that has ended is no fault of ours.
  stdin?.on('error', () => {});
  return { pid, stdin: stdin ?? undefined, stdout, stderr, exited, signal: (name) => signalProcess(pid, name) };
}

/** Asks the main process only, as a container runtime does; killing takes the whole group. */
function signalProcess(pid: number, name: NodeJS.Signals): void {
  if (name === 'SIGKILL') return signalGroup(pid, name);
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Sends a signal to a process group; a group that is gone already is fine. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function exitOf(child: ChildProcess): Promise<RunResult> {
  return new Promise((resolve) => {
    let result: RunResult | undefined;
    let linger: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(linger);
      if (result) resolve(result);
    };
    child.once('exit', (code, signal) => {
      result = { exitCode: code ?? 128 + (signal ? (constants.signals[signal] ?? 0) : 0) };
      // What the process left behind in its group ends with it, as it would in a container.
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      linger = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        finish();
      }, lingerMs);
    });
    child.once('close', finish);
    child.once('error', () => {
      result ??= { exitCode: 128, reason: 'StartError' };
    });
  });
}

function startFailure(program: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `exec: "${program}": executable file not found on this machine`;
  if (error.code === 'EACCES') return `exec: "${program}": permission denied`;
  return `exec: "${program}": ${error.message}`;
}
