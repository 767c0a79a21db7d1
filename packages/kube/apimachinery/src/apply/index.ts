/** Server-side apply and the tracking of who owns which field. */
export { applyConfiguration } from './apply-configuration.ts';
export type { ApplyOptions, ApplyResult } from './apply-configuration.ts';
export {
  difference as fieldSetDifference,
  emptySet as emptyFieldSet,
  FieldSet,
  fieldSetOf,
  intersection as fieldSetIntersection,
  isEmptySet as isEmptyFieldSet,
  leaves as fieldSetLeaves,
  recursiveDifference as fieldSetRecursiveDifference,
  setsEqual as fieldSetsEqual,
  union as fieldSetUnion,
} from './field-set.ts';
export { decodeFieldsV1, encodeFieldsV1, internFieldsV1 } from './fields-v1.ts';
export type { FieldsV1 } from './fields-v1.ts';
export { objectMetaSchema } from './object-meta-schema.ts';
export { showPaths as showFieldPaths } from './path-element.ts';
export { keepTimestamps, trackUpdate } from './track-update.ts';
export type { TrackUpdateOptions } from './track-update.ts';
export type { ConvertVersion } from './versions.ts';
