import type { KubeObject, ListMeta, ObjectKey, ObjectMeta, ResourceType } from '@hypershift-ts/kube-apimachinery';

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly signal?: AbortSignal;
}

export interface ObjectList<T extends KubeObject> {
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
}

/** ERROR events are thrown as StatusError by the iteration instead of being delivered. */
export interface WatchEvent<T extends KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

export interface WriteOptions {
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  readonly dryRun?: boolean;
  /** `status`, `scale`, `approval`, `eviction`, `token`, `binding`... */
  readonly subresource?: string;
  readonly signal?: AbortSignal;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
}

export type Patch =
  | { readonly type: 'json'; readonly body: readonly object[] }
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object };

export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** A new object: apiVersion and kind may be left to the resource type. */
export type NewObject<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind'> & {
  readonly apiVersion?: string;
  readonly kind?: string;
};

/** What server-side apply sends: any subset of the object. The second form lets literals carry any field. */
export type ApplyObject = AppliedIdentity | (AppliedIdentity & { readonly [field: string]: unknown });

interface AppliedIdentity {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta & { readonly name: string };
}

/**
 * One way to talk to a cluster, whether it lives in this process or behind HTTPS. Failures are StatusError.
 * Objects handed out are frozen and may be shared with others.
 */
export interface Client {
  get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options?: { readonly resourceVersion?: string; readonly subresource?: string; readonly signal?: AbortSignal },
  ): Promise<T>;
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends without error when the server closes the watch (timeoutSeconds); throws StatusError on an ERROR event (410: isExpired). */
  watch<T extends KubeObject>(type: ResourceType<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** With `subresource`, `key` names the parent: `create(pods, eviction, { subresource: 'eviction' })` uses eviction.metadata. */
  create<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  update<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: ApplyObject, options: ApplyOptions): Promise<T>;
  /** Resolves when the server accepted the deletion (finalizers may still hold the object). */
  delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  deleteCollection<T extends KubeObject>(
    type: ResourceType<T>,
    selection: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>,
    options?: DeleteOptions,
  ): Promise<void>;
  /** Any other path (`/version`, `/readyz`, `/api/v1/namespaces/x/pods/y/log`), answered as text. Fails with StatusError on >= 400. */
  raw(
    method: string,
    path: string,
    options?: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
    },
  ): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }>;
  /** Warning headers of the last responses go here, once each. */
  onWarning?: (text: string) => void;
  close(): Promise<void>;
}
