// Bundles the product into dist/: one entry, chunks loaded when a command needs them.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';

rmSync('dist', { recursive: true, force: true });
await build({ ...bundleOptions(), entryPoints: { hypershift: 'packages/hypershift/cli/src/main.ts' }, outdir: 'dist' });
