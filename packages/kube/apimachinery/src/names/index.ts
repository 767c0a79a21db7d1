/** Names: their formats, their generation, and the checks on object metadata. */
export * from './formats.ts';
export * from './label-validation.ts';
export * from './spec-formats.ts';
export * from './object-meta.ts';
export * from './object-names.ts';
