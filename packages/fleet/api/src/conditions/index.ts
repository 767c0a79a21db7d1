/** From reports to conditions, without a clock. */
export { aggregate, type AggregationInput, allFinalized } from './aggregate.ts';
export { type ConditionMapper, conditionMapper } from './mapping.ts';
export { reportsFinalized } from './observations.ts';
