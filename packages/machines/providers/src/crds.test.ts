import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CrdManifestObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { awsv1beta2, infrastructureProviders, kubevirtv1alpha1, providerCrds } from './index.ts';

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
  it.each(infrastructureProviders)('When the CRDs of %s are compared, it should find the same schemas', (provider) => {
    expect(byName(providerCrds(provider))).toEqual(byName(upstream(`cluster-api-provider-${provider}`)));
  });
});

describe('providerCrds', () => {
  it('When Cluster API looks for a kind, it should find the version by its label', () => {
    const labels = new Map(
      infrastructureProviders.flatMap((provider) =>
        providerCrds(provider).map(({ metadata }) => [metadata.name, metadata.labels?.['cluster.x-k8s.io/v1beta1']]),
      ),
    );
    expect(labels.get('awsmachinetemplates.infrastructure.cluster.x-k8s.io')).toBe(
      awsv1beta2.awsmachinetemplates.version,
    );
    expect(labels.get('kubevirtmachines.infrastructure.cluster.x-k8s.io')).toBe(
      kubevirtv1alpha1.kubevirtmachines.version,
    );
    expect(labels.get('awsmachinepools.infrastructure.cluster.x-k8s.io')).toBeUndefined();
  });
});
