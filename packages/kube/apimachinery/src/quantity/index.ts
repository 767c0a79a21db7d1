/** Amounts of resources with their units. */
export * from './parse.ts';
export * from './quantity.ts';
