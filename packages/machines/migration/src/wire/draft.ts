/**
 * A value on its way to `encode`: fields may be said to be undefined, which leaves them out, and text taken over from
 * the other API counts as valid; its owner's schema has the last word.
 */
export type Draft<T> = unknown extends T
  ? T
  : T extends string
    ? string
    : T extends number | boolean
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Draft<Item>[]
        : { readonly [K in keyof T]: Draft<T[K]> | undefined };
