/** CEL as Kubernetes uses it: typed by schemas, metered, and evaluated on plain JSON. */
export type { CelType, FieldDeclaration, FieldTable } from './check/type.ts';
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  objectType,
  optionalType,
  STRING,
  TIMESTAMP,
  UINT,
} from './check/type.ts';
export { escapeFieldName, unescapeFieldName } from './check/field-name.ts';
export { minSerializedSize, typeFromSchema } from './check/schema-type.ts';
export { CostBudget, CostLimit } from './cost/budget.ts';
export type { CompileOptions, EnvironmentOptions } from './environment.ts';
export { createEnvironment, DEFAULT_KUBERNETES_VERSION, Environment } from './environment.ts';
export { CelCompileError, CelRuntimeError, EvalFailure } from './errors.ts';
export type { CelFailureKind, CompileStage } from './errors.ts';
export type { Bindings } from './eval/frame.ts';
export { lazyObject } from './eval/lazy.ts';
export type { FunctionDeclaration, Overload } from './library/declaration.ts';
export {
  declare as declareFunction,
  global as globalOverload,
  member as memberOverload,
} from './library/declaration.ts';
export { toJson } from './values/json.ts';
export type { CelResult, EvaluateOptions } from './program.ts';
export { Program } from './program.ts';
export type { CelIssue, Location } from './syntax/source.ts';
export { CelDouble, CelMap, CelOptional } from './values/value.ts';
export type { CelValue } from './values/value.ts';
export type { Authorize, AuthorizationDecision, AuthorizationQuery } from './library/authorization.ts';
export { AUTHORIZER, authorizerValue, RESOURCE_CHECK, requestResourceValue } from './library/authorization.ts';
export { estimateCost } from './cost/estimate.ts';
export type { Range as CostRange } from './cost/range.ts';
