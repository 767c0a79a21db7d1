import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type ExecOptions, type ExecSession, type RunResult, StartError } from './container-runtime.ts';
import { startHostProcess } from './host-process.ts';
import { type Mount, rewritePaths } from './mount-paths.ts';

/** Which programs of this machine containers may run: by name, or every program found on PATH. */
export interface HostCommands {
  readonly programs?: Readonly<Record<string, string>>;
  readonly anyOnPath?: boolean;
}

/** What a program named in a container is on this machine, or undefined when it must not run. */
export function hostProgramFor(program: string, commands: HostCommands): string | undefined {
  const known = commands.programs?.[program] ?? commands.programs?.[basename(program)];
  if (known) return known;
  if (!commands.anyOnPath) return undefined;
  // `/bin/busybox` of an image may live elsewhere here; the name alone is looked up on PATH.
  return program.startsWith('/') && !existsSync(program) ? basename(program) : program;
}

/** The surroundings of a container, as its commands see them. */
export interface HostSurroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly rootDir: string;
  readonly cwd: string;
}

/** The environment of a host process: the container's own, its paths made real, and what every process needs. */
export function hostEnvironment(
  env: Readonly<Record<string, string>>,
  mounts: readonly Mount[],
  rootDir: string,
  podIP: string,
): Record<string, string> {
  const result: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: rootDir,
    HYPERSHIFT_ROOT: rootDir,
    HYPERSHIFT_POD_IP: podIP,
  };
  for (const [name, value] of Object.entries(env)) result[name] = rewritePaths(value, mounts);
  return result;
}

/** Runs a command in a container's surroundings. */
export async function execOnHost(
  command: readonly string[],
  options: ExecOptions,
  commands: HostCommands,
  where: HostSurroundings,
): Promise<ExecSession> {
  const [program = '', ...args] = command;
  const hostProgram = hostProgramFor(program, commands);
  if (!hostProgram) throw new StartError(`exec: "${program}": this node is not configured to run host commands`);
  const child = await startHostProcess({
    program: hostProgram,
    args: args.map((arg) => rewritePaths(arg, where.mounts)),
    env: where.env,
    cwd: where.cwd,
    stdin: options.stdin ?? false,
  });
  return { ...sessionOf(child), exited: child.exited };
}

function sessionOf(child: Awaited<ReturnType<typeof startHostProcess>>): Omit<ExecSession, 'exited'> {
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, kill: () => child.signal('SIGKILL') };
}

/** Runs a command to its end and keeps a little of what it said; for probes and hooks. */
export async function collectExec(session: ExecSession, maxBytes = 10 * 1024): Promise<RunResult & { output: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer) => {
    if (size >= maxBytes) return;
    chunks.push(chunk);
    size += chunk.length;
  };
  session.stdout.on('data', keep);
  session.stderr.on('data', keep);
  const result = await session.exited;
  return { ...result, output: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8') };
}
