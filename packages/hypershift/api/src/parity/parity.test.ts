import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { featureGates, featureSets, gatesOf } from '../feature-gates.ts';
import { karpenterCrds, managementCrds } from '../kinds.ts';
import type { CrdManifest } from '../schema/index.ts';
import { differences } from './differences.ts';
import { disagreements } from './facts.ts';

const root = fileURLToPath(new URL('../../../../../../shared/vectors/crd-schemas/', import.meta.url));
const present = existsSync(root);
if (!present) process.stderr.write('SKIPPED: no upstream schemas at ../shared/vectors/crd-schemas\n');

interface UpstreamCrd {
  readonly metadata: { readonly name: string };
  readonly spec: JsonValue;
}

function upstream(folder: string): UpstreamCrd[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(`${root}${folder}/${name}`, 'utf8')) as UpstreamCrd);
}

const folders = present
  ? [
      ...featureSets.map((set) => ({ folder: set as string, ours: managementCrds(set) })),
      { folder: 'karpenter', ours: karpenterCrds() },
    ]
  : [];
const pairs = folders.flatMap(({ folder, ours }) =>
  upstream(folder).map((theirs) => ({
    folder,
    name: theirs.metadata.name,
    theirs,
    ours: ours.find((crd) => crd.metadata.name === theirs.metadata.name),
  })),
);

function unexplained(crd: CrdManifest, theirs: UpstreamCrd): string[] {
  const reviewed = differences.filter((one) => one.crd === crd.metadata.name).map(({ path }) => path);
  return disagreements(crd.spec as unknown as JsonValue, theirs.spec)
    .filter(({ path }) => !reviewed.some((one) => path === one || path.startsWith(`${one}/`)))
    .map(({ text }) => text);
}

describe.skipIf(!present)('parity with the upstream CRDs', () => {
  it.each(folders)('When the kinds of $folder are listed, it should be the same kinds', ({ folder, ours }) => {
    const names = ours.map((crd) => crd.metadata.name).sort();
    expect(names).toEqual(upstream(folder).map((crd) => crd.metadata.name));
  });

  it.each(pairs)('When $name of $folder is compared, it should say the same', ({ ours, theirs }) => {
    expect(ours && unexplained(ours, theirs)).toEqual([]);
  });

  it('When a gate manifest lists gates, it should agree with our feature sets', () => {
    const manifests = JSON.parse(readFileSync(`${root}featuregates.json`, 'utf8')) as {
      [name: string]: { enabled: string[]; disabled: string[] };
    };
    for (const set of ['Default', 'TechPreviewNoUpgrade'] as const) {
      const { enabled, disabled } = manifests[`Hypershift-${set}`]!;
      expect(enabled.filter((gate) => !(gatesOf(set) as ReadonlySet<string>).has(gate))).toEqual([]);
      expect(disabled.filter((gate) => (gatesOf(set) as ReadonlySet<string>).has(gate))).toEqual([]);
      expect([...enabled, ...disabled].filter((gate) => !(gate in featureGates))).toEqual([]);
    }
  });

  it('When a difference was reviewed, it should still exist', () => {
    const all = pairs.flatMap(({ ours, theirs }) =>
      ours ? disagreements(ours.spec as unknown as JsonValue, theirs.spec).map(({ path }) => path) : [],
    );
    expect(differences.filter(({ path }) => !all.some((one) => one === path || one.startsWith(`${path}/`)))).toEqual(
      [],
    );
  });
});
