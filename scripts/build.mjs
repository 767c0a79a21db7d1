// Bundles the product into dist/: one entry, chunks loaded when a command needs them.
import { renameSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';

// Beside dist/ first, so that a build that fails leaves the last good one in place.
const fresh = `dist.${process.pid}`;
try {
  await build({
    ...bundleOptions(),
    entryPoints: { hypershift: 'packages/hypershift/cli/src/main.ts', hyperfleet: 'packages/fleet/cli/src/main.ts' },
    outdir: fresh,
  });
  rmSync('dist', { recursive: true, force: true });
  renameSync(fresh, 'dist');
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
