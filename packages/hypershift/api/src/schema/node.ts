import type { JsonValue, Schema } from '@hypershift-ts/kube-apimachinery';
import type { FeatureGateName } from '../feature-gates.ts';

/** Whether a field must be given: by everybody, by nobody, or by nobody because the API server fills it in. */
export type Presence = 'required' | 'optional' | 'defaulted';

/** A node whose static types do not matter at the place that holds it. */
export type AnyNode = SchemaNode<unknown, unknown, Presence>;

/** One CEL rule; with a gate it exists only where the gate is on. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly gate?: FeatureGateName;
}

/** An enum value that exists only where its gate is on. */
export interface Gated<Value> {
  readonly gate: FeatureGateName;
  readonly value: Value;
}

/** What a node is made of; `render` turns it into the schema of one feature set. */
export interface Definition {
  /** The node's own keywords, without children, enum, rules, default and description. */
  readonly keywords: Schema;
  readonly properties?: { readonly [name: string]: AnyNode };
  readonly items?: AnyNode;
  readonly values?: AnyNode;
  readonly choices?: readonly (string | number | Gated<string | number>)[];
  readonly rules: readonly Rule[];
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly gate?: FeatureGateName;
  readonly description?: string;
}

/**
 * One node of a schema: a value to build CRDs and documentation from, carrying the TypeScript type of the
 * values it describes. `Read` is what an API server hands out (defaults filled in), `Write` what a client may
 * send. Nodes are immutable; every method returns a new one, so that structs can be shared between kinds.
 */
export class SchemaNode<Read, Write = Read, P extends Presence = 'required'> {
  declare readonly '~read': Read;
  declare readonly '~write': Write;
  declare readonly '~presence': P;
  readonly definition: Definition;

  constructor(definition: Definition) {
    this.definition = definition;
  }

  /** The field may be missing. */
  optional(): SchemaNode<Read, Write, P extends 'defaulted' ? 'defaulted' : 'optional'> {
    return new SchemaNode({ ...this.definition, required: false });
  }

  /** Typed as always there, although the CRD accepts objects without it. */
  unenforced(): SchemaNode<Read, Write, P> {
    return new SchemaNode({ ...this.definition, required: false });
  }

  /** What the API server fills in when the field is missing. */
  default(value: Write): SchemaNode<Read, Write, 'defaulted'> {
    return new SchemaNode({ ...this.definition, default: value as JsonValue });
  }

  nullable(): SchemaNode<Read | null, Write | null, P> {
    return this.#with({ keywords: { ...this.definition.keywords, nullable: true } }) as never;
  }

  /** What the field is for, in one or more sentences. */
  describe(...sentences: readonly string[]): this {
    return this.#with({ description: sentences.join(' ') });
  }

  /** The field exists only where the gate is on. */
  gate(gate: FeatureGateName): this {
    return this.#with({ gate });
  }

  /** A CEL rule, checked after those already there. */
  rule(rule: string, message?: string, options: { readonly gate?: FeatureGateName } = {}): this {
    return this.check({ rule, ...(message === undefined ? {} : { message }), ...options });
  }

  /** A CEL rule that several fields share. */
  check(rule: Rule): this {
    return this.#with({ rules: [...this.definition.rules, rule] });
  }

  /** The value may not change once the field is there. */
  immutable(message: string): this {
    return this.rule('self == oldSelf', message);
  }

  #with(change: Partial<Definition>): this {
    const Same = this.constructor as new (definition: Definition) => this;
    return new Same({ ...this.definition, ...change });
  }
}

/** An object with known fields; other structs may be built from its `fields`. */
export class ObjectNode<Fields extends { readonly [name: string]: AnyNode }> extends SchemaNode<
  ReadObject<Fields>,
  WriteObject<Fields>
> {
  get fields(): Fields {
    return this.definition.properties as Fields;
  }
}

/** The type of values an API server hands out for a node. */
export type ReadOf<Node extends AnyNode> = Node['~read'];

/** The type of values a client may send for a node: what has a default may be left out. */
export type WriteOf<Node extends AnyNode> = Node['~write'];

type KeysOf<Fields, P extends Presence> = {
  [K in keyof Fields]: Fields[K] extends { readonly '~presence': P } ? K : never;
}[keyof Fields];

// `Names extends keyof Fields` keeps these mapped types homomorphic, so that editors still jump to the field.
type Present<Fields extends { readonly [name: string]: AnyNode }, Names extends keyof Fields> = {
  readonly [K in Names]: Fields[K]['~read'];
};
type Maybe<Fields extends { readonly [name: string]: AnyNode }, Names extends keyof Fields> = {
  readonly [K in Names]?: Fields[K]['~read'];
};
type Given<Fields extends { readonly [name: string]: AnyNode }, Names extends keyof Fields> = {
  readonly [K in Names]: Fields[K]['~write'];
};
type MayBeGiven<Fields extends { readonly [name: string]: AnyNode }, Names extends keyof Fields> = {
  readonly [K in Names]?: Fields[K]['~write'];
};
type Flat<T> = { [K in keyof T]: T[K] };

export type ReadObject<Fields extends { readonly [name: string]: AnyNode }> = Flat<
  Present<Fields, KeysOf<Fields, 'required' | 'defaulted'>> & Maybe<Fields, KeysOf<Fields, 'optional'>>
>;
export type WriteObject<Fields extends { readonly [name: string]: AnyNode }> = Flat<
  Given<Fields, KeysOf<Fields, 'required'>> & MayBeGiven<Fields, KeysOf<Fields, 'optional' | 'defaulted'>>
>;
