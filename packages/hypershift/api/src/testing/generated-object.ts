/** Objects made up from a schema: right in structure, meaningless in content. */
import type { Schema } from '@hypershift-ts/kube-apimachinery';

/** A repeatable source of numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789é😀';

export class ObjectGenerator {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #text(): string {
    const letters = Array.from(alphabet);
    return Array.from({ length: this.#below(12) }, () => letters[this.#below(letters.length)]).join('');
  }

  /** A value of the schema; optional fields are there half of the time. */
  value(schema: Schema): unknown {
    if (schema.enum) return schema.enum[this.#below(schema.enum.length)];
    if (schema['x-kubernetes-int-or-string']) return this.#random() < 0.5 ? this.#below(100) : `${this.#below(100)}%`;
    switch (schema.type) {
      case 'string':
        return schema.format === 'date-time' ? '2026-01-02T03:04:05Z' : this.#text();
      case 'integer':
        return this.#below(2 ** 31);
      case 'number':
        return this.#random() * 1000;
      case 'boolean':
        return this.#random() < 0.5;
      case 'array':
        return Array.from({ length: this.#below(3) }, () => this.value(schema.items ?? {}));
      default:
        return this.#object(schema);
    }
  }

  #object(schema: Schema): unknown {
    const value: { [key: string]: unknown } = {};
    const required = new Set(schema.required);
    for (const [name, field] of Object.entries(schema.properties ?? {}))
      if (required.has(name) || this.#random() < 0.5) value[name] = this.value(field);
    if (typeof schema.additionalProperties === 'object')
      for (let left = this.#below(3); left > 0; left--) value[this.#text()] = this.value(schema.additionalProperties);
    return value;
  }

  /** An older release of the schema: the same with some optional fields not invented yet. */
  olderThan(schema: Schema): Schema {
    const required = new Set(schema.required);
    const known = Object.entries(schema.properties ?? {}).filter(
      ([name]) => required.has(name) || this.#random() < 0.8,
    );
    return {
      ...schema,
      ...(schema.properties
        ? { properties: Object.fromEntries(known.map(([name, field]) => [name, this.olderThan(field)])) }
        : {}),
      ...(schema.items ? { items: this.olderThan(schema.items) } : {}),
      ...(typeof schema.additionalProperties === 'object'
        ? { additionalProperties: this.olderThan(schema.additionalProperties) }
        : {}),
    };
  }
}
