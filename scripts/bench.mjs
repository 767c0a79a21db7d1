// Bundles bench/main.ts and runs it. Figures are ratios to limits measured in the same run; they are never tests.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';

await build({
  ...bundleOptions(),
  entryPoints: { bench: 'bench/main.ts', client: 'bench/client.ts', 'cluster-api': 'bench/cluster-api.ts' },
  outdir: '.cache/bench',
  splitting: false,
});
// Hundreds of control planes and thousands of nodes are more than the heap Node.js would allow itself.
// The young generation is what the product gives itself, too.
const flags = ['--expose-gc', '--max-old-space-size=12288', '--max-semi-space-size=128'];
// Thousands of nodes are tens of thousands of sockets; where the limit may not be raised, it stays.
const { status } = spawnSync(
  'sh',
  [
    '-c',
    'ulimit -n 1048576 2>/dev/null; exec "$@"',
    'sh',
    process.execPath,
    ...flags,
    '.cache/bench/bench.js',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
