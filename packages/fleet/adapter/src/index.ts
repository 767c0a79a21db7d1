/** The HyperFleet adapter framework: one program whose behaviour is two configuration files. */
export { type RootReference, Template, TemplateError, TemplateLimit } from './template/index.ts';
export { compileExpression, type Evaluated, Expression, withDoubles } from './expression/index.ts';
export * from './config/adapter-config.ts';
export { CompiledTexts } from './config/compiled-texts.ts';
export { type ConfigFile, loadAdapter, loadAdapterFiles, type LoadedAdapter, type LoadOptions } from './config/load.ts';
export { OVERRIDABLE } from './config/overrides.ts';
export * from './config/task-config.ts';
export { type ApiAnswer, ApiCallError, type ApiClient, type ApiRequest } from './api-client/client.ts';
export { HttpApiClient, type HttpApiClientOptions } from './api-client/http-client.ts';
export * from './transport/transport.ts';
export { generationOf, newestOf, nextOperation } from './transport/generation.ts';
export { KubernetesTransport } from './transport/kubernetes.ts';
export { findNested, type NestedQuery, withFeedbackStatus } from './transport/manifest-work-contents.ts';
export type { LogLevel, RunDependencies } from './run/context.ts';
export { type AdapterEvent, adapterEvent } from './run/event.ts';
export type { PostActionResult } from './run/post-actions.ts';
export type { PreconditionResult } from './run/preconditions.ts';
export type { ResourceResult } from './run/resources.ts';
export { type RunResult, runTask } from './run/run.ts';
export type { Phase } from './run/state.ts';
export { dryRun, type DryRunInput, type Trace, traceText } from './dry-run/index.ts';
export { extractStatusFromManifestWorkFeedback } from './hosted-cluster/feedback.ts';
export {
  type HostedClusterReport,
  hostedClusterReport,
  type ReportCondition,
  type WorkLookup,
} from './hosted-cluster/report.ts';
export { AdapterService, type AdapterServiceOptions } from './service/adapter-service.ts';
export { adapterCommand } from './command/command.ts';
export { MaestroTransport } from './transport/maestro.ts';
