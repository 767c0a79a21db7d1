import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { RetryBackoff } from '@hypershift-ts/fleet-http-client';

/** The task half of an adapter's configuration in its canonical (today's) form; names are those of the files. */
export interface TaskConfig {
  readonly params: readonly ParamConfig[];
  readonly preconditions: readonly PreconditionConfig[];
  readonly resources: readonly ResourceConfig[];
  readonly post: PostConfig;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ApiCallConfig {
  readonly method: HttpMethod;
  readonly url: string;
  readonly timeout?: string;
  readonly retry_attempts?: number;
  readonly retry_backoff?: RetryBackoff;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly body?: string;
}

export type ParamType = 'string' | 'int' | 'int64' | 'float' | 'float64' | 'bool';

export type ParamSource =
  | string
  | { readonly api_call: ApiCallConfig }
  | { readonly expression: string }
  | { readonly file: { readonly path: string; readonly trim: boolean } };

export interface ParamConfig {
  readonly name: string;
  readonly source: ParamSource;
  readonly type?: ParamType;
  readonly required?: boolean;
  readonly default?: JsonValue;
  readonly description?: string;
}

export interface CaptureConfig {
  readonly name: string;
  readonly field?: string;
  readonly expression?: string;
  readonly default?: JsonValue;
}

export type ConditionOperator =
  | 'equals'
  | 'notEquals'
  | 'in'
  | 'notIn'
  | 'contains'
  | 'greaterThan'
  | 'greaterThanOrEqual'
  | 'lessThan'
  | 'lessThanOrEqual'
  | 'exists'
  | 'notExists';

export interface ConditionConfig {
  readonly field: string;
  readonly operator: ConditionOperator;
  readonly value?: JsonValue;
}

export interface LogConfig {
  readonly message: string;
  readonly level?: 'debug' | 'info' | 'warning' | 'error';
}

export interface PreconditionConfig {
  readonly name: string;
  readonly api_call?: ApiCallConfig;
  readonly capture?: readonly CaptureConfig[];
  readonly conditions?: readonly ConditionConfig[];
  readonly expression?: string;
  readonly log?: LogConfig;
}

export interface DiscoveryConfig {
  /** `*` looks in all namespaces. */
  readonly namespace?: string;
  readonly by_name?: string;
  readonly by_selectors?: { readonly label_selector: Readonly<Record<string, string>> };
}

export interface NestedDiscoveryConfig {
  readonly name: string;
  readonly discovery: DiscoveryConfig;
  /** Name of the feedback value to show as the found object's `status`. */
  readonly status_from_feedback?: string;
}

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export interface LifecycleConfig {
  readonly create?: { readonly when: { readonly expression: string } };
  readonly delete?: { readonly when: { readonly expression: string }; readonly propagationPolicy?: PropagationPolicy };
}

/** A map whose texts are templates, or one template for the whole text of the manifest. */
export type ManifestConfig = JsonObject | string | { readonly ref: string };

export interface ResourceConfig {
  readonly name: string;
  readonly transport?: {
    readonly client: 'kubernetes' | 'maestro';
    readonly maestro?: { readonly target_cluster: string };
  };
  readonly manifest: ManifestConfig;
  readonly discovery: DiscoveryConfig;
  readonly nested_discoveries?: readonly NestedDiscoveryConfig[];
  readonly recreate_on_change?: boolean;
  readonly lifecycle?: LifecycleConfig;
  /** Paths that may not change once the object exists. */
  readonly immutable?: readonly string[];
}

export interface WhenConfig {
  readonly expression: string;
}

export interface PayloadConfig {
  readonly name: string;
  readonly build?: JsonValue;
  readonly build_ref?: string;
  readonly when?: WhenConfig;
}

export interface PostActionConfig {
  readonly name: string;
  readonly when?: WhenConfig;
  readonly log?: LogConfig;
  readonly api_call?: ApiCallConfig;
}

export interface PostConfig {
  readonly payloads: readonly PayloadConfig[];
  readonly post_actions: readonly PostActionConfig[];
}
