import { deepFreeze, type Schema } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import { defaultDefinition, prepareDefinitionForCreate } from '../definition/defaults.ts';
import type { CustomResourceDefinition, DefinitionSpec, DefinitionVersion } from '../definition/types.ts';

export const text: Schema = { type: 'string' };
export const number: Schema = { type: 'integer' };

/** An object schema with these fields. */
export function fields(properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema {
  return { type: 'object', properties, ...more };
}

export function aVersion(schema: Schema, more: Partial<DefinitionVersion> = {}): DefinitionVersion {
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

/** A definition of Widgets, defaulted and prepared as on creation. */
export function aDefinition(
  version: DefinitionVersion | readonly DefinitionVersion[],
  spec: Partial<DefinitionSpec> = {},
): CustomResourceDefinition {
  const draft: Draft = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: Array.isArray(version) ? version : [version],
      ...structuredClone(spec),
    },
  };
  defaultDefinition(draft);
  prepareDefinitionForCreate(draft);
  return deepFreeze(draft) as unknown as CustomResourceDefinition;
}
