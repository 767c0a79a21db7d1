// Bundles the product into dist/: one entry per process, shared chunks, npm packages left outside.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

/** Every npm package that some workspace depends on; workspace packages themselves are bundled. */
function externalPackages() {
  const names = new Set();
  for (const floor of readdirSync('packages'))
    for (const room of readdirSync(`packages/${floor}`)) {
      const { dependencies = {} } = JSON.parse(readFileSync(`packages/${floor}/${room}/package.json`, 'utf8'));
      for (const name of Object.keys(dependencies)) if (!name.startsWith('@hypershift-ts/')) names.add(name);
    }
  return [...names];
}

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: { hypershift: 'packages/hypershift/cli/src/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  external: externalPackages().flatMap((name) => [name, `${name}/*`]),
});
