/** Reports of adapters: what they must contain, when they count, how they are kept. */
export { outcomeOf, statusFrom } from './outcome.ts';
export { parseReport, type Report } from './report.ts';
