import {
  apiVersionOf,
  jsonClone,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type {
  ApplyObject,
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  NewObject,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions as ClientWriteOptions,
} from '@hypershift-ts/kube-client';
import type { Api, Written } from '../registry/api.ts';
import { listEntries } from '../registry/list.ts';
import { servedObjects, type Target, type WriteOptions } from '../registry/registry.ts';
import { compileSelection } from '../registry/selection.ts';
import type { RequestContext, UserInfo } from '../request/context.ts';
import { type RequestInfo, withFieldSelector } from '../request/request-info.ts';
import type { Resource } from '../resource/resource.ts';
import { writeOptions } from '../http/write-options.ts';
import { InProcessWatch } from './in-process-watch.ts';

/** What the in-process client needs of its server. */
export interface InProcessHost {
  readonly api: Api;
  /** Runs the work under the same authorization, audit and metrics as an HTTP request. */
  readonly perform: <T>(
    user: UserInfo,
    userAgent: string,
    info: RequestInfo,
    work: (context: RequestContext, resource: Resource) => Promise<T>,
    onWarning?: (text: string) => void,
  ) => Promise<T>;
  /** Everything that is not a resource: /version, /readyz. */
  readonly raw: Client['raw'];
  readonly closed: AbortSignal;
}

/** A Client that calls the server's own request path: no sockets, no encoding, the same rules. */
export class InProcessClient implements Client {
  onWarning?: (text: string) => void;
  private readonly host: InProcessHost;
  private readonly user: UserInfo;
  private readonly userAgent: string;

  constructor(host: InProcessHost, user: UserInfo, userAgent: string) {
    this.host = host;
    this.user = user;
    this.userAgent = userAgent;
  }

  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options: { subresource?: string } = {}): Promise<T> {
    return this.perform('get', type, key, options, async (_, target) => {
      const { object } = await this.host.api.get(target);
      return object as unknown as T;
    });
  }

  list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const key = { name: '', ...(options.namespace ? { namespace: options.namespace } : {}) };
    return this.perform('list', type, key, options, async (_, target) => {
      const answer = await listEntries(this.host.api.registry, target.resource, {
        namespace: target.namespace,
        selection: compileSelection(target.resource, options.labelSelector ?? '', options.fieldSelector ?? ''),
        limit: options.limit ?? 0,
        continue: options.continue ?? '',
        resourceVersion: options.resourceVersion ?? '',
        resourceVersionMatch: options.resourceVersionMatch ?? '',
      });
      return {
        metadata: {
          resourceVersion: String(answer.revision),
          ...(answer.continue === '' ? {} : { continue: answer.continue }),
          ...(answer.remainingItemCount === undefined ? {} : { remainingItemCount: answer.remainingItemCount }),
        },
        items: (await servedObjects(target.resource, answer.entries)) as unknown as T[],
      };
    });
  }

  watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    const key = { name: '', ...(options.namespace ? { namespace: options.namespace } : {}) };
    const open = (): Promise<InProcessWatch> =>
      this.perform('watch', type, key, options, (_, target) =>
        InProcessWatch.start(this.host.api.registry, target, options, this.host.closed),
      );
    return {
      async *[Symbol.asyncIterator]() {
        const watch = await open();
        try {
          yield* watch.events() as AsyncIterable<WatchEvent<T>>;
        } finally {
          watch.close();
        }
      },
    };
  }

  create<T extends KubeObject>(
    type: ResourceType<T>,
    object: NewObject<T>,
    options: ClientWriteOptions = {},
  ): Promise<T> {
    const { namespace, name } = object.metadata;
    const key = { name: options.subresource ? (name ?? '') : '', ...(namespace ? { namespace } : {}) };
    return this.perform('create', type, key, options, async (context, target) => {
      const body = { value: bodyOf(type, object, options.subresource), problems: [] };
      return answerOf<T>(await this.host.api.create(context, target, body, internalOptions(options, 'CreateOptions')));
    });
  }

  update<T extends KubeObject>(
    type: ResourceType<T>,
    object: NewObject<T>,
    options: ClientWriteOptions = {},
  ): Promise<T> {
    return this.perform('update', type, keyOfObject(object), options, async (context, target) => {
      const body = { value: { ...object, ...typeMeta(type, object) }, problems: [], ownership: 'lent' as const };
      return answerOf<T>(await this.host.api.update(context, target, body, internalOptions(options, 'UpdateOptions')));
    });
  }

  patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch,
    options: ClientWriteOptions = {},
  ): Promise<T> {
    return this.perform('patch', type, key, options, async (context, target) => {
      const body = { type: patch.type, value: jsonClone(patch.body), problems: [] };
      return answerOf<T>(await this.host.api.patch(context, target, body, internalOptions(options, 'PatchOptions')));
    });
  }

  apply<T extends KubeObject>(type: ResourceType<T>, object: ApplyObject, options: ApplyOptions): Promise<T> {
    return this.perform('patch', type, keyOfObject(object), options, async (context, target) => {
      const body = { type: 'apply' as const, value: bodyOf(type, object, undefined), problems: [] };
      const written = await this.host.api.patch(context, target, body, internalOptions(options, 'PatchOptions', true));
      return answerOf<T>(written);
    });
  }

  delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return this.perform('delete', type, key, {}, async (context, target) => {
      await this.host.api.delete(context, target, deleteRequest(options));
    });
  }

  deleteCollection<T extends KubeObject>(
    type: ResourceType<T>,
    selection: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const key = { name: '', ...(selection.namespace ? { namespace: selection.namespace } : {}) };
    return this.perform('deletecollection', type, key, selection, async (context, target) => {
      const request = {
        namespace: target.namespace,
        selection: compileSelection(target.resource, selection.labelSelector ?? '', selection.fieldSelector ?? ''),
        limit: 0,
        continue: '',
        resourceVersion: '',
        resourceVersionMatch: '',
      };
      await this.host.api.deleteCollection(context, target, request, deleteRequest(options));
    });
  }

  raw(...args: Parameters<Client['raw']>): ReturnType<Client['raw']> {
    return this.host.raw(...args);
  }

  async close(): Promise<void> {
    // Nothing of its own to give back: the server owns everything.
  }

  private perform<R>(
    verb: string,
    type: ResourceType<KubeObject>,
    key: ObjectKey,
    { subresource = '', fieldSelector = '' }: { readonly subresource?: string; readonly fieldSelector?: string },
    work: (context: RequestContext, target: Target) => Promise<R>,
  ): Promise<R> {
    const namespace = type.namespaced ? (key.namespace ?? '') : '';
    if (type.namespaced && namespace === '' && key.name !== '')
      return Promise.reject(
        statusErrors.badRequest(`a namespace is needed to ${verb} ${type.resource} ${JSON.stringify(key.name)}`),
      );
    const info: RequestInfo = {
      isResource: true,
      path: '',
      verb,
      group: type.group,
      version: type.version,
      resource: type.resource,
      subresource,
      namespace: type.resource === 'namespaces' && type.group === '' ? key.name : namespace,
      name: key.name,
      named: key.name !== '',
      rest: '',
    };
    return this.host.perform(
      this.user,
      this.userAgent,
      fieldSelector === '' ? info : withFieldSelector(info, fieldSelector),
      (context, resource) => work(context, { resource, namespace, name: key.name, subresource }),
      this.onWarning,
    );
  }
}

function bodyOf(type: ResourceType<KubeObject>, object: object, subresource: string | undefined): object {
  // The body of an action (Eviction, TokenRequest) is of another kind than its parent.
  if (subresource) return jsonClone(object);
  const body: Record<string, unknown> = typeMeta(type, object);
  for (const field in object)
    if (field !== 'apiVersion' && field !== 'kind' && field !== '__proto__')
      body[field] = jsonClone(object[field as keyof typeof object]);
  return body;
}

/** What callers may leave out, because the type says it. */
function typeMeta(type: ResourceType<KubeObject>, object: object): { apiVersion: string; kind: string } {
  const { apiVersion = apiVersionOf(type), kind = type.kind } = object as Partial<KubeObject>;
  return { apiVersion, kind };
}

function keyOfObject(object: {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}): ObjectKey {
  const { name = '', namespace } = object.metadata;
  return { name, ...(namespace ? { namespace } : {}) };
}

function answerOf<T>(written: Written): T {
  return (written.stored?.object ?? (written.object as UnstructuredObject)) as unknown as T;
}

function internalOptions(
  options: ClientWriteOptions & { force?: boolean },
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteOptions {
  return writeOptions(
    {
      ...(options.dryRun ? { dryRun: ['All'] } : {}),
      fieldManager: options.fieldManager ?? '',
      fieldValidation: options.fieldValidation ?? '',
      ...(apply ? { force: options.force ?? false } : {}),
    },
    kind,
    apply,
  );
}

function deleteRequest({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions) {
  return {
    dryRun: dryRun ?? false,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy ? { propagationPolicy } : {}),
    ...(preconditions ? { preconditions } : {}),
  };
}
