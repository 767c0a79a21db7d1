/** The HyperFleet adapter framework: one program whose behaviour is two configuration files. */
export { type RootReference, Template, TemplateError, TemplateLimit } from './template/index.ts';
export { compileExpression, type Evaluated, Expression, withDoubles } from './expression/index.ts';
export * from './config/adapter-config.ts';
export { CompiledTexts } from './config/compiled-texts.ts';
export { type ConfigFile, loadAdapter, loadAdapterFiles, type LoadedAdapter, type LoadOptions } from './config/load.ts';
export { type EnvironmentVariables, OVERRIDABLE } from './config/overrides.ts';
export { ConfigError, type ConfigProblem } from './config/source.ts';
export * from './config/task-config.ts';
