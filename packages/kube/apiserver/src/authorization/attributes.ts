import type { UserInfo } from '../request/context.ts';

/** One `key op value` term of a field selector, as far as authorization cares. */
interface SelectorTerm {
  readonly key: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** What somebody wants to do. A RequestInfo with its user is one. */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  /** False for paths that are not API resources; then only `verb` and `path` count. */
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Empty for cluster-scoped requests and requests over all namespaces. */
  readonly namespace: string;
  readonly path: string;
  readonly fieldSelector?: readonly SelectorTerm[];
}

export interface Decision {
  /** `no-opinion` passes the question on; when everybody has none, the answer is no. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
}

export type MaybePromise<T> = T | Promise<T>;

/** One way of deciding. In-memory authorizers answer synchronously, which keeps the request path free of ticks. */
export interface Authorizer {
  authorize(attributes: Attributes): MaybePromise<Decision>;
}

/** An authorizer that always answers at once. */
export interface SyncAuthorizer extends Authorizer {
  authorize(attributes: Attributes): Decision;
}

export const noOpinion: Decision = Object.freeze({ decision: 'no-opinion', reason: '' });
export const allowed: Decision = Object.freeze({ decision: 'allow', reason: '' });

/** Attributes of a check about a resource, for questions that do not come from a URL. */
export function resourceAttributes(
  user: UserInfo,
  verb: string,
  target: {
    readonly group?: string;
    readonly version?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly name?: string;
    readonly namespace?: string;
  },
): Attributes {
  return {
    user,
    verb,
    isResource: true,
    group: target.group ?? '',
    version: target.version ?? '*',
    resource: target.resource,
    subresource: target.subresource ?? '',
    name: target.name ?? '',
    namespace: target.namespace ?? '',
    path: '',
  };
}
