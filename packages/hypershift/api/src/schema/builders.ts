import type { Schema } from '@hypershift-ts/kube-apimachinery';
import type { FeatureGateName } from '../feature-gates.ts';
import { type AnyNode, type Gated, ObjectNode, SchemaNode } from './node.ts';

/** Backslashes stay as they are written: for regular expressions and CEL. */
export const raw = String.raw;

interface StringLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ObjectLimits {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Server-side apply owns the object as a whole. */
  readonly atomic?: boolean;
  /** Fields not named here are kept instead of pruned. */
  readonly keepUnknown?: boolean;
}

type ListLimits = {
  readonly minItems?: number;
  readonly maxItems?: number;
} & (
  | { readonly type?: 'atomic' | 'set' }
  /** Items are told apart by these fields. */
  | { readonly type: 'map'; readonly keys: readonly string[] }
);

function scalar<T>(keywords: Schema): SchemaNode<T> {
  return new SchemaNode({ keywords, rules: [], required: true });
}

export const string = (limits: StringLimits = {}): SchemaNode<string> => scalar({ type: 'string', ...limits });
export const dateTime = (): SchemaNode<string> => string({ format: 'date-time' });
export const boolean = (): SchemaNode<boolean> => scalar({ type: 'boolean' });
export const integer = (limits: NumberLimits = {}): SchemaNode<number> => scalar({ type: 'integer', ...limits });
export const int32 = (limits: NumberLimits = {}): SchemaNode<number> =>
  scalar({ type: 'integer', format: 'int32', ...limits });
export const int64 = (limits: NumberLimits = {}): SchemaNode<number> =>
  scalar({ type: 'integer', format: 'int64', ...limits });

/** A number or a string, such as a count or a percentage. */
export const intOrString = (limits: StringLimits = {}): SchemaNode<number | string> =>
  scalar({ anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, ...limits });

const quantityPattern = raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;

/** An amount such as `8Gi` or `500m`. */
export const quantity = (limits: { readonly maxLength?: number } = {}): SchemaNode<number | string> =>
  intOrString({ pattern: quantityPattern, ...limits });

type ValueOf<Choice> = Choice extends Gated<infer Value> ? Value : Choice;

/** One of a few strings or numbers, in the order error messages list them. */
export function enumOf<const Choices extends readonly (string | number | Gated<string | number>)[]>(
  choices: Choices,
  limits: StringLimits & NumberLimits = {},
): SchemaNode<ValueOf<Choices[number]>> {
  const first = choices[0]!;
  const type = typeof (typeof first === 'object' ? first.value : first) === 'string' ? 'string' : 'integer';
  return new SchemaNode({ keywords: { type, ...limits }, choices, rules: [], required: true });
}

/** An enum value that exists only where the gate is on. */
export function gated<const Value extends string | number>(gate: FeatureGateName, value: Value): Gated<Value> {
  return { gate, value };
}

function objectKeywords({ atomic, keepUnknown, ...limits }: ObjectLimits): Schema {
  return {
    type: 'object',
    ...limits,
    ...(atomic ? { 'x-kubernetes-map-type': 'atomic' as const } : {}),
    ...(keepUnknown ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  };
}

/** An object with known fields. */
export function object<const Fields extends { readonly [name: string]: AnyNode }>(
  properties: Fields,
  limits: ObjectLimits = {},
): ObjectNode<Fields> {
  return new ObjectNode<Fields>({ keywords: objectKeywords(limits), properties, rules: [], required: true });
}

/** An object nobody has fields for yet. */
export const emptyObject = (): SchemaNode<{ readonly [field: string]: never }> => scalar({ type: 'object' });

/** An object with free keys. */
export function map<Node extends AnyNode>(
  values: Node,
  limits: ObjectLimits = {},
): SchemaNode<{ readonly [key: string]: Node['~read'] }, { readonly [key: string]: Node['~write'] }> {
  return new SchemaNode({ keywords: objectKeywords(limits), values, rules: [], required: true });
}

/** Labels, selectors and the like. */
export const stringMap = (limits: ObjectLimits = {}): SchemaNode<{ readonly [key: string]: string }> =>
  map(string(), limits);

/** A list; without a type it is atomic for server-side apply. */
export function list<Node extends AnyNode>(
  items: Node,
  limits: ListLimits = {},
): SchemaNode<readonly Node['~read'][], readonly Node['~write'][]> {
  const { minItems, maxItems, type } = limits;
  const keywords: Schema = {
    type: 'array',
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(type ? { 'x-kubernetes-list-type': type } : {}),
    ...('keys' in limits ? { 'x-kubernetes-list-map-keys': limits.keys } : {}),
  };
  return new SchemaNode({ keywords, items, rules: [], required: true });
}
