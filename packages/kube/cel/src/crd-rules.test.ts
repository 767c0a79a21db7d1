import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { BOOL, CostLimit, createEnvironment, estimateCost, typeFromSchema } from './index.ts';

const VECTORS = join(import.meta.dirname, '../../../../../shared/vectors');
const FOLDERS = ['crd-schemas', 'machine-api/crds'].map((folder) => join(VECTORS, folder));
const available = FOLDERS.every((folder) => existsSync(folder));
if (!available) process.stderr.write('skipping CRD rules: vectors are not there\n');

interface Crd {
  readonly spec?: { readonly versions?: readonly { readonly schema?: { readonly openAPIV3Schema?: Schema } }[] };
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/** Every node of a schema that has rules. */
function* nodesWithRules(schema: Schema, root: boolean): Generator<{ schema: Schema; root: boolean }> {
  if (schema['x-kubernetes-validations']) yield { schema, root };
  const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  for (const child of inner) {
    if (typeof child === 'object') yield* nodesWithRules(child, child['x-kubernetes-embedded-resource'] ?? false);
  }
}

describe.skipIf(!available)('rules of the CRD vectors', () => {
  it('When compiled against their schemas, they should all type-check and stay within the cost limit of a rule', () => {
    const distinct = new Set<string>();
    let count = 0;
    for (const file of FOLDERS.flatMap(jsonFiles)) {
      const crd = JSON.parse(readFileSync(file, 'utf8')) as Crd;
      for (const version of crd.spec?.versions ?? []) {
        const root = version.schema?.openAPIV3Schema;
        for (const node of root ? nodesWithRules(root, true) : []) {
          const type = typeFromSchema(node.schema, { root: node.root })!;
          const env = createEnvironment({ variables: { self: type, oldSelf: type } });
          for (const { rule } of node.schema['x-kubernetes-validations']!) {
            const program = env.compile(rule, { expect: BOOL });
            expect(estimateCost(program).max).toBeLessThan(CostLimit.perRuleEstimate);
            expect(program.references('oldSelf')).toBe(/\boldSelf\b/.test(rule));
            distinct.add(rule);
            count++;
          }
        }
      }
    }
    expect(distinct.size).toBeGreaterThan(250);
    expect(count).toBeGreaterThan(2000);
  }, 30_000);
});
