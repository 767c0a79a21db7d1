/** The sidecar of adapter Jobs: turns the result file of the adapter into conditions of its Job. */
export { failureConditions, type FailureReason, mergedConditions } from './conditions.ts';
export { type ReporterOptions, reportStatus } from './reporter.ts';
export { type AdapterResult, type ReadResult, readResult } from './result.ts';
export { readSettings, type ReporterSettings } from './settings.ts';
export { statusReporterCommand } from './command.ts';
