import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { applySchemaDefaults, jsonClone, validateValue } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { gatesOf } from '../feature-gates.ts';
import { type HostedCluster, hostedCluster } from '../hosted-cluster/index.ts';
import { type NodePool, nodePool } from '../node-pool/index.ts';
import { type KindDefinition, render } from '../schema/index.ts';
import { validateHostedCluster, validateNodePool } from '../validation/index.ts';
import { cluster, workers } from './hosted-cluster.ts';

const text = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

function stored<T>(kind: KindDefinition, manifest: unknown): T {
  const schema = render(kind.schema, gatesOf('Default'));
  const draft = jsonClone(manifest);
  applySchemaDefaults(draft, schema);
  expect(validateValue(draft, schema)).toEqual([]);
  return draft as T;
}

describe('the documented example', () => {
  it('When the page is read, it should hold the code that is compiled here', () => {
    const page = text('../../../../../docs/how-to/typescript-api.md');
    for (const file of ['hosted-cluster.ts', 'send.ts'])
      expect(page).toContain(text(file).replace("'../index.ts'", "'@hypershift-ts/hypershift-api'"));
  });

  it('When the objects are stored, it should find nothing wrong with them', () => {
    const storedCluster = stored<HostedCluster>(hostedCluster, cluster);
    expect(validateHostedCluster(storedCluster)).toEqual([]);
    const facts = { hostedCluster: storedCluster };
    expect(validateNodePool(stored<NodePool>(nodePool, workers), facts)).toEqual([]);
  });
});
