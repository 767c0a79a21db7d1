import {
  applyConfiguration,
  applyJsonPatch,
  isJsonObject,
  jsonClone,
  type Schema,
} from '@hypershift-ts/kube-apimachinery';
import { type Bindings, CostBudget } from '@hypershift-ts/kube-cel';
import type { Draft } from '../../kinds/behaviour.ts';
import type { Resource } from '../../resource/resource.ts';
import { outOfBudget } from '../expressions/match-conditions.ts';
import { withVariables } from '../expressions/variables.ts';
import type { CompiledMutatingPolicy, CompiledMutation } from './compile.ts';
import { plainValue } from './plain-value.ts';

/** The object as one mutation wants it; a new object. Throws with the reason when it cannot be told. */
export function mutatedObject(
  policy: CompiledMutatingPolicy,
  mutation: CompiledMutation,
  bindings: Bindings,
  matched: Resource,
  object: Draft,
  now: number,
): Draft {
  const value = plainValue(evaluate(policy, mutation, bindings));
  if (mutation.patchType === 'ApplyConfiguration') return merged(matched, object, value, now);
  if (!Array.isArray(value)) throw new Error('must evaluate to list(JSONPatch)');
  return jsonClone(applyJsonPatch(object, value));
}

function evaluate(
  policy: CompiledMutatingPolicy,
  { compiled, expression }: CompiledMutation,
  bindings: Bindings,
): unknown {
  if (!compiled.program) throw new Error(`compilation error: ${compiled.error}`);
  const budget = new CostBudget();
  const result = compiled.program.evaluate(withVariables(bindings, policy.variables, budget));
  budget.spend(result.cost);
  if (budget.exhausted) throw new Error(outOfBudget);
  if (!result.ok) throw new Error(`expression '${expression}' resulted in error: ${result.error.message}`);
  return result.value;
}

/** Merges as server-side apply does; who owns which field is settled later, with the whole request. */
function merged({ logic, apiVersion, kind }: Resource, object: Draft, config: unknown, now: number): Draft {
  if (!isJsonObject(config)) throw new Error('must evaluate to Object');
  const atomic = atomicParts(config, logic.schema, '');
  if (atomic.length > 0)
    throw new Error(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    );
  const { managedFields, ...metadata } = object['metadata'] as Draft;
  const result = applyConfiguration({
    live: { ...object, metadata },
    config: { ...config, apiVersion, kind, metadata: config['metadata'] ?? {} },
    schema: logic.schema,
    manager: 'admission',
    force: true,
    apiVersion,
    kind,
    now,
  });
  const next: Draft = jsonClone(result.object);
  delete next['metadata'].managedFields;
  if (managedFields !== undefined) next['metadata'].managedFields = managedFields;
  return next;
}

/** Where a configuration would replace a whole list or map, which is never what its author meant. */
function atomicParts(value: unknown, schema: Schema | undefined, path: string): string[] {
  if (!schema) return [];
  if (Array.isArray(value)) {
    if ((schema['x-kubernetes-list-type'] ?? 'atomic') === 'atomic') return [path];
    return value.flatMap((item) => atomicParts(item, schema.items, path));
  }
  if (!isJsonObject(value)) return [];
  if (schema['x-kubernetes-map-type'] === 'atomic') return [path];
  const { additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, part]) => {
    const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    return atomicParts(
      part,
      own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined),
      `${path}.${key}`,
    );
  });
}
