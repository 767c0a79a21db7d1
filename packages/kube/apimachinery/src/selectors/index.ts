/** Label and field selectors, compiled to functions. */
export * from './field-selector.ts';
export * from './label-selector.ts';
export { newRequirement, SelectorError } from './requirement.ts';
export type { Requirement, SelectorOperator } from './requirement.ts';
