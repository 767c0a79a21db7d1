import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CrdManifestObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { capiv1beta1, clusterApiCrds } from './index.ts';

const root = fileURLToPath(new URL('../../../../../shared/vectors/crd-schemas/other/', import.meta.url));
const present = existsSync(root);
if (!present) process.stderr.write('SKIPPED: no upstream schemas at ../shared/vectors/crd-schemas/other\n');

function upstream(folder: string, ending = '.json'): CrdManifestObject[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => JSON.parse(readFileSync(`${root}${folder}/${name}`, 'utf8')) as CrdManifestObject);
}

const byName = (crds: readonly CrdManifestObject[]) => new Map(crds.map((crd) => [crd.metadata.name, crd.spec]));

describe.skipIf(!present)('parity with upstream', () => {
  it('When the CRDs are compared, it should find the same kinds with the same schemas', () => {
    expect(byName(clusterApiCrds())).toEqual(byName(upstream('cluster-api')));
  });
});

describe('clusterApiCrds', () => {
  it('When the storage version is chosen, it should be the only one stored', () => {
    for (const { spec } of clusterApiCrds({ storageVersion: 'v1beta1', served: ['v1beta1'] })) {
      expect(spec.versions.filter(({ storage }) => storage).map(({ name }) => name)).toEqual(['v1beta1']);
      expect(spec.versions.filter(({ served }) => served).map(({ name }) => name)).toEqual(['v1beta1']);
    }
  });

  it('When a resource is used, it should name a kind of the CRDs', () => {
    const names = clusterApiCrds().map(({ metadata }) => metadata.name);
    expect(names).toContain(`${capiv1beta1.machines.resource}.${capiv1beta1.machines.group}`);
    expect(capiv1beta1.machinedeployments).toMatchObject({ kind: 'MachineDeployment', namespaced: true });
  });
});
