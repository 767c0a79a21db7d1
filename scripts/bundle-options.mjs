import { readdirSync, readFileSync } from 'node:fs';

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

/** How our code becomes a program: ESM for Node.js 20, npm packages left outside. */
export function bundleOptions() {
  return {
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    external: externalPackages().flatMap((name) => [name, `${name}/*`]),
  };
}
