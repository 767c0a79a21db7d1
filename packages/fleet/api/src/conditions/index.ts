/** From reports to conditions, without a clock. */
export { aggregate, type AggregationInput, allFinalized } from './aggregate.ts';
export { reportsFinalized } from './observations.ts';
