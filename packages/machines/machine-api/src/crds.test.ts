import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CrdManifestObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { machineApiCrds, mapiv1beta1, providerSpecKind } from './index.ts';

const root = fileURLToPath(new URL('../../../../../shared/vectors/machine-api/', import.meta.url));
const present = existsSync(root);
if (!present) process.stderr.write('SKIPPED: no upstream schemas at ../shared/vectors/machine-api\n');

function upstream(folder: string, ending = '.json'): CrdManifestObject[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => JSON.parse(readFileSync(`${root}${folder}/${name}`, 'utf8')) as CrdManifestObject);
}

const byName = (crds: readonly CrdManifestObject[]) => new Map(crds.map((crd) => [crd.metadata.name, crd.spec]));

/** ControlPlaneMachineSet is ours; there is nothing to compare it with. */
const compared = (migration: boolean) =>
  machineApiCrds({ migration }).filter(({ spec }) => spec.names.kind !== 'ControlPlaneMachineSet');

describe.skipIf(!present)('parity with upstream', () => {
  it.each([
    [true, '.gate-on.json'],
    [false, '.gate-off.json'],
  ])('When migration is %s, it should find the same schemas', (migration, ending) => {
    expect(byName(compared(migration))).toEqual(byName(upstream('crds', ending)));
  });

  it('When the samples are read, it should know every kind', () => {
    const kinds = readdirSync(`${root}samples`).map((name) =>
      providerSpecKind(JSON.parse(readFileSync(`${root}samples/${name}`, 'utf8')) as { kind: string }),
    );
    expect(kinds).not.toContain(undefined);
  });
});

describe('machineApiCrds', () => {
  it('When migration is off, it should not know who is in charge', () => {
    const fields = (migration: boolean) =>
      Object.keys(
        compared(migration).find(({ spec }) => spec.names.plural === mapiv1beta1.machines.resource)!.spec.versions[0]!
          .schema.openAPIV3Schema.properties!['spec']!.properties!,
      );
    expect(fields(true)).toContain('authoritativeAPI');
    expect(fields(false)).not.toContain('authoritativeAPI');
  });

  it('When a provider spec is of no known cloud, it should say so', () => {
    expect(providerSpecKind({ kind: 'constructor' })).toBeUndefined();
    expect(providerSpecKind(undefined)).toBeUndefined();
  });
});
