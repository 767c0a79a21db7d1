/** Values against schemas: prune, default, validate, correlate. Shared by built-in kinds and custom resources. */
export { Correlated, fieldSchema, MapList } from './correlation.ts';
export { applySchemaDefaults } from './defaults.ts';
export { isKnownFormat, stringFormat } from './formats.ts';
export { validateListTypes } from './list-types.ts';
export { type CompiledPattern, compilePattern } from './patterns.ts';
export { type PruneOptions, pruneUnknownFields } from './prune.ts';
export { reachableTest } from './reachable.ts';
export { validateValue, validateValueUpdate } from './validate.ts';
export { normaliseEmbedded, validateEmbedded } from './embedded-resource.ts';
export { type MetaOutcome, normaliseObjectMeta } from './object-meta-shape.ts';
export { type CrdManifestObject, type CrdVersionManifest, readStoredCrds } from './stored-crds.ts';
