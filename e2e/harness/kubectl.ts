import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

/**
 * The kubectl on PATH, and of versioned ones beside it (`kubectl.1.33`) the oldest, the newest and one between;
 * `KUBECTL_VERSIONS=all` takes every one.
 */
export function findKubectls(): { readonly name: string; readonly path: string }[] {
  const found = new Map<string, string>();
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'kubectl');
    if (!existsSync(path)) continue;
    const real = realpathSync(path);
    const versioned = readdirSync(dirname(real)).filter((name) => /^kubectl\.\d+\.\d+$/.test(name));
    // A dispatcher beside versioned binaries only picks one of them.
    if (versioned.length === 0) found.set(basename(real), real);
    for (const name of versioned) found.set(name, join(dirname(real), name));
  }
  if (found.size === 0) process.stderr.write('SKIPPED: there is no kubectl on PATH\n');
  const sorted = [...found].map(([name, path]) => ({ name, path })).sort((a, b) => a.name.localeCompare(b.name));
  return process.env['KUBECTL_VERSIONS'] === 'all' ? sorted : spread(sorted);
}

/** The oldest, the newest and one between: each costs half a minute, and those between differ little. */
function spread<T>(all: readonly T[]): T[] {
  const chosen = new Set([0, Math.floor((all.length - 1) / 2), all.length - 1]);
  return all.filter((_, index) => chosen.has(index));
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One kubectl with its own kubeconfig and discovery cache. */
export class Kubectl {
  private readonly path: string;
  private readonly home: string;
  private readonly kubeconfig: string;

  constructor(path: string, kubeconfig: string) {
    this.path = path;
    this.home = mkdtempSync(join(tmpdir(), 'kubectl-'));
    this.kubeconfig = join(this.home, 'kubeconfig');
    writeFileSync(this.kubeconfig, kubeconfig, { mode: 0o600 });
  }

  /** Runs a command line and gives back everything it printed. */
  run(args: readonly string[], input?: string): Promise<Outcome> {
    const child = this.start(args);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin!.end(input ?? '');
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
  }

  /** The same, failing the test when kubectl fails. Words are split at spaces; use an array for anything else. */
  async ok(args: string | readonly string[], input?: string): Promise<string> {
    const words = typeof args === 'string' ? args.split(' ') : args;
    const { code, stdout, stderr } = await this.run(words, input);
    if (code !== 0) throw new Error(`kubectl ${words.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
    return stdout;
  }

  /** The same for a command that must fail; answers what it complained about. */
  async fails(args: string | readonly string[], input?: string): Promise<string> {
    const words = typeof args === 'string' ? args.split(' ') : args;
    const { code, stdout, stderr } = await this.run(words, input);
    if (code === 0) throw new Error(`kubectl ${words.join(' ')} should have failed but printed:\n${stdout}`);
    return stderr;
  }

  start(args: readonly string[]): ChildProcess {
    return spawn(this.path, ['--kubeconfig', this.kubeconfig, '--cache-dir', join(this.home, 'cache'), ...args], {
      stdio: 'pipe',
      env: { ...process.env, HOME: this.home, KUBECONFIG: this.kubeconfig, KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'true' },
    });
  }

  dispose(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
