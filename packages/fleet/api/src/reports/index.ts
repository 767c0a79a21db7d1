/** Reports of adapters: what they must contain, when they count, how they are kept. */
export { outcomeOf, type ReportOutcome, statusFrom } from './outcome.ts';
export { parseReport, type Report, type ReportedCondition } from './report.ts';
