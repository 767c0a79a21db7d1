import { type AnyNode, list, object, SchemaNode, string } from '../schema/index.ts';

/** An object of which we need no detail: kept as it is, not checked. */
export function freeForm(): SchemaNode<{ readonly [field: string]: unknown }> {
  return new SchemaNode({
    keywords: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    rules: [],
    required: true,
  });
}

/** An object of which we type what we use; the rest is kept and not checked. */
export function partly<const Fields extends { readonly [name: string]: AnyNode }>(fields: Fields) {
  return object(fields, { keepUnknown: true });
}

/** A condition of OpenShift's config API: reason and message may be missing. */
export const operatorCondition = object({
  type: string(),
  status: string(),
  lastTransitionTime: string({ format: 'date-time' }),
  reason: string().optional(),
  message: string().optional(),
});

export const operatorConditions = list(operatorCondition, { type: 'map', keys: ['type'] });
