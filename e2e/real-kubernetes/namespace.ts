import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { addresses } from './api-server.ts';

const folder = import.meta.dirname;
const vitest = join(folder, '../../node_modules/vitest/vitest.mjs');
const inNamespace = ['--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];
const prepare = `ip link set lo up && ip route add local ${addresses.local} dev lo`;

/** Whether this machine lets us make a network of our own; says so when it does not. */
export function mayUnshareNetwork(): boolean {
  const { status, error } = spawnSync('unshare', [...inNamespace, 'sh', '-c', prepare]);
  if (status === 0) return true;
  process.stderr.write(
    `SKIPPED: real Kubernetes, for lack of network namespaces${error ? ` (${error.message})` : ''}\n`,
  );
  return false;
}

/**
 * Runs the tests of the folder `inside` in a network namespace of their own, where pods may have addresses that a real
 * API server takes for endpoints, and nobody's ports are in the way. Answers the exit code and all that was printed.
 */
export function runInside(): Promise<{ readonly code: number | null; readonly output: string }> {
  const run = `${prepare} && exec "$0" "$@"`;
  const words = [process.execPath, vitest, 'run', '--config', join(folder, 'inside/vitest.config.ts')];
  const child = spawn('unshare', [...inNamespace, 'sh', '-c', run, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
