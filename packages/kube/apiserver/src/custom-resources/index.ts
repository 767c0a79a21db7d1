/** Custom resources as pure modules: definitions judged and compiled, objects pruned, defaulted and validated. */
export {
  defaultDefinition,
  prepareDefinitionForCreate,
  prepareDefinitionForUpdate,
} from './definition/defaults.ts';
export { nextDefinitionStatus, sharesGroup } from './definition/status.ts';
export type { CustomResourceDefinition } from './definition/types.ts';
export { isEstablished, validateDefinition, validateDefinitionUpdate } from './definition/validate.ts';
export { definitionWarnings } from './definition/warnings.ts';
export { compileCustomResource } from './resource/compile.ts';
