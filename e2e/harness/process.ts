import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../bin/hypershift', import.meta.url));
const built = fileURLToPath(new URL('../../dist/hypershift.js', import.meta.url));

/** Whether `make build` has run; tests of whole processes need it, and `make test` does it first. */
export function isBuilt(): boolean {
  if (existsSync(built)) return true;
  process.stderr.write('SKIPPED: dist/ is missing; run `make build` first\n');
  return false;
}

/** A hypershift process of this test. */
export class HypershiftProcess {
  readonly child: ChildProcess;
  output = '';

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Resolves when the process has printed `text`; fails with everything it printed when it ends first. */
  async printed(text: string, timeoutMs = 30_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!this.output.includes(text)) {
      if (this.child.exitCode !== null || Date.now() > deadline)
        throw new Error(`hypershift did not print ${JSON.stringify(text)}:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Ends the process with the signal and waits until it is gone. */
  kill(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.kill(signal);
    });
  }
}

/**
 * A loopback port that was free a moment ago, below the range from which the system gives ports to clients: it stays
 * free while a server that uses it is down.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}

export function readText(file: string): Promise<string> {
  return readFile(file, 'utf8');
}
