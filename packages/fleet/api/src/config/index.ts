/** Configuration: flags over variables over a file over defaults; what nobody knows is refused. */
export { ConfigError, type ConfigSources, loadConfig } from './load.ts';
export type { Config } from './settings.ts';
