/** What every service of the fleet has beside its work: logs, metrics and probes. */
export type { CommandContext } from './command-context.ts';
export { type FlagNames, type Flags, readFlags } from './flags.ts';
export { createLog, type Log, type LogLevel, type LogOptions } from './log.ts';
export { type Labels, MetricSet } from './metric-set.ts';
export { type Commands, runCommand } from './run-command.ts';
export { type Probes, type ProbesOptions, startProbes } from './probes.ts';
