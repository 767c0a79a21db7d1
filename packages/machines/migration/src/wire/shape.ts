/**
 * What a wire type looks like: its fields in the order in which upstream writes them, and which of them are left out
 * when empty. Template names are hashes over exactly these bytes, so order and omission are part of the contract.
 */
export type Shape = ScalarShape | ListShape | MapShape | ObjectShape;

export interface ScalarShape {
  readonly kind: 'text' | 'number' | 'boolean' | 'numberOrText' | 'raw';
}

export interface ListShape {
  readonly kind: 'list';
  readonly items: Shape;
}

export interface MapShape {
  readonly kind: 'map';
  readonly values: Shape;
}

export interface ObjectShape<T = unknown> {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  /** Phantom: never present at run time. */
  readonly _value?: T;
}

/** `filled`: written unless zero. `pointer`: written unless absent. `always`: written, as its zero value if need be. */
export interface Field {
  readonly presence: 'filled' | 'pointer' | 'always';
  readonly shape: Shape;
}

export const text: ScalarShape = { kind: 'text' };
export const number: ScalarShape = { kind: 'number' };
export const boolean: ScalarShape = { kind: 'boolean' };
/** An IntOrString. */
export const numberOrText: ScalarShape = { kind: 'numberOrText' };
/** Any JSON, kept as it is. */
export const raw: ScalarShape = { kind: 'raw' };

export const list = (items: Shape): ListShape => ({ kind: 'list', items });
export const map = (values: Shape): MapShape => ({ kind: 'map', values });
export const pointer = (shape: Shape): Field => ({ presence: 'pointer', shape });
export const always = (shape: Shape): Field => ({ presence: 'always', shape });

/** The fields of an object; a shape without `pointer` or `always` is left out when it is zero. */
export function object<T = unknown>(
  fields: unknown extends T ? { readonly [name: string]: Shape | Field } : { readonly [K in keyof T]-?: Shape | Field },
): ObjectShape<T> {
  return {
    kind: 'object',
    fields: new Map(
      Object.entries(fields as { readonly [name: string]: Shape | Field }).map(([name, field]) => [
        name,
        'presence' in field ? field : { presence: 'filled', shape: field },
      ]),
    ),
  };
}
