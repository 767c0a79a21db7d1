/** Reading YAML settings strictly: every problem is found, named and placed in its file. */
export { compact, MapReader, Problems } from './reader.ts';
export { ConfigError, type ConfigPath, type ConfigProblem, ConfigSource, Origins, pathText } from './source.ts';
export { assignSetting, type EnvironmentVariables, firstSet } from './environment.ts';
