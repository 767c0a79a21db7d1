import type { Clock, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiVersionOf, deepFreeze, StatusError, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '../back-off.ts';
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
  WriteOptions,
} from '../client.ts';
import type { ClusterConfig } from './cluster-config.ts';
import type { PlainAnswer } from './requester.ts';
import { Requester } from './requester.ts';
import { objectPath, queryString, requireNamespace, resourcePath } from './resource-path.ts';
import type { RequestRate } from './token-bucket.ts';
import { WarningFilter } from './warnings.ts';
import { watchEvents } from './watch-stream.ts';

export interface HttpClientOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly userAgent?: string;
  /** `h1` never offers HTTP/2. */
  readonly protocol?: 'auto' | 'h1';
  readonly connectTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly maxResponseBytes?: number;
  /** The longest single watch event. */
  readonly maxEventBytes?: number;
  /** Client-side limit on requests; none without it. */
  readonly rate?: RequestRate;
  readonly onRequest?: (request: { method: string; code: number; host: string }) => void;
}

const json = { accept: 'application/json', 'content-type': 'application/json' };
const jsonGzip = { accept: 'application/json', 'accept-encoding': 'gzip' };
const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const satisfies Record<Patch['type'], string>;

/** A Client for any cluster that speaks the Kubernetes API over HTTPS. */
export class HttpClient implements Client {
  onWarning?: (text: string) => void;
  readonly config: ClusterConfig;
  /** For streams that are not watches: logs, exec. */
  readonly requester: Requester;
  private readonly warnings = new WarningFilter();
  private readonly clock: Clock;
  private readonly maxEventBytes: number;

  constructor(config: ClusterConfig, options: HttpClientOptions = {}) {
    this.config = config;
    this.clock = options.clock ?? systemClock;
    this.maxEventBytes = options.maxEventBytes ?? 64 << 20;
    this.requester = new Requester({
      config,
      clock: this.clock,
      random: options.random ?? Math.random,
      userAgent: options.userAgent ?? 'hypershift-ts',
      protocol: options.protocol ?? 'auto',
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
      maxResponseBytes: options.maxResponseBytes ?? 256 << 20,
      rate: options.rate,
      onRequest: options.onRequest,
    });
  }

  async get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: { readonly resourceVersion?: string; readonly subresource?: string; readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    const query = queryString({ resourceVersion: options.resourceVersion });
    const path = objectPath(type, key, options.subresource) + query;
    const answer = await this.requester.request({ method: 'GET', path, headers: json, signal: options.signal });
    return this.object(answer) as T;
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { namespace, signal, ...parameters } = options;
    const path = resourcePath(type, { namespace }) + queryString(parameters);
    const answer = await this.requester.request({ method: 'GET', path, headers: jsonGzip, signal });
    this.warn(answer);
    const { metadata = {}, items } = parse(answer) as { metadata?: object; items?: T[] | null };
    // Items of a typed list do not repeat what they are.
    const apiVersion = apiVersionOf(type);
    const complete = (items ?? []).map((item) =>
      item.kind ? item : Object.assign({ apiVersion, kind: type.kind }, item),
    );
    return deepFreeze({ metadata, items: complete });
  }

  async *watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    const { namespace, signal, ...parameters } = options;
    const path = resourcePath(type, { namespace }) + queryString({ watch: true, ...parameters });
    const headers = { accept: 'application/json' };
    const response = await this.requester.open({ method: 'GET', path, headers, signal });
    this.warnings.deliver(response.headers['warning'], this.onWarning);
    const overtimeMs = options.timeoutSeconds === undefined ? undefined : (options.timeoutSeconds + 30) * 1000;
    const limits = { maxEventBytes: this.maxEventBytes, clock: this.clock, overtimeMs };
    yield* watchEvents<T>(response.body, `watch ${type.resource}`, limits, signal);
  }

  create<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options: WriteOptions = {}): Promise<T> {
    const { namespace, name } = object.metadata;
    requireNamespace(type, namespace);
    const place = options.subresource ? { namespace, name, subresource: options.subresource } : { namespace };
    const body = options.subresource ? object : typed(type, object);
    return this.write('POST', resourcePath(type, place), body, options);
  }

  update<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options: WriteOptions = {}): Promise<T> {
    const path = objectPath(type, keyIn(object.metadata), options.subresource);
    return this.write('PUT', path, options.subresource === 'scale' ? object : typed(type, object), options);
  }

  patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.write('PATCH', objectPath(type, key, options.subresource), patch.body, options, patchTypes[patch.type]);
  }

  apply<T extends KubeObject>(type: ResourceType<T>, object: ApplyObject, options: ApplyOptions): Promise<T> {
    const path = objectPath(type, keyIn(object.metadata), options.subresource);
    // JSON is YAML.
    return this.write('PATCH', path, typed(type, object), options, 'application/apply-patch+yaml');
  }

  async delete<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<void> {
    await this.remove(objectPath(type, key), options);
  }

  async deleteCollection<T extends KubeObject>(
    type: ResourceType<T>,
    selection: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>,
    options: DeleteOptions = {},
  ): Promise<void> {
    const { namespace, ...selectors } = selection;
    await this.remove(resourcePath(type, { namespace }) + queryString(selectors), options);
  }

  async raw(
    method: string,
    path: string,
    options: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }> {
    const { body, signal } = options;
    const sent =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const defaults: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...defaults, ...options.headers };
    const answer = await this.requester.request({ method, path, headers, body: sent, signal });
    this.warn(answer);
    const flat: Record<string, string> = {};
    for (const [name, value] of Object.entries(answer.response.headers)) {
      if (value !== undefined && !name.startsWith(':')) flat[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return { status: answer.response.status, headers: flat, body: answer.text };
  }

  close(): Promise<void> {
    return this.requester.close();
  }

  private async write<T extends KubeObject>(
    method: string,
    path: string,
    body: unknown,
    options: WriteOptions & { readonly force?: boolean },
    contentType = 'application/json',
  ): Promise<T> {
    const { fieldManager, fieldValidation, dryRun, force, signal } = options;
    const query = queryString({ fieldManager, fieldValidation, force, dryRun: dryRun ? 'All' : undefined });
    const headers = { accept: 'application/json', 'content-type': contentType };
    const sent = JSON.stringify(body);
    const answer = await this.requester.request({ method, path: path + query, headers, body: sent, signal });
    return this.object(answer) as T;
  }

  private async remove(path: string, options: DeleteOptions): Promise<void> {
    const { signal, dryRun, ...rest } = options;
    const body = JSON.stringify({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      ...rest,
      ...(dryRun ? { dryRun: ['All'] } : {}),
    });
    this.warn(await this.requester.request({ method: 'DELETE', path, headers: json, body, signal }));
  }

  private object(answer: PlainAnswer): object {
    this.warn(answer);
    return deepFreeze(parse(answer));
  }

  private warn({ response }: PlainAnswer): void {
    this.warnings.deliver(response.headers['warning'], this.onWarning);
  }
}

function parse({ response, text }: PlainAnswer): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Reported below.
  }
  const kind = String(response.headers['content-type'] ?? 'no content type');
  throw new StatusError(500, 'InternalError', `the server answered something that is not a JSON object (${kind})`);
}

function typed(
  type: ResourceType<KubeObject>,
  object: { readonly apiVersion?: string; readonly kind?: string },
): object {
  if (object.apiVersion && object.kind) return object;
  return { apiVersion: apiVersionOf(type), kind: type.kind, ...object };
}

function keyIn(metadata: { readonly name?: string; readonly namespace?: string }): ObjectKey {
  const { name = '', namespace } = metadata;
  return namespace ? { namespace, name } : { name };
}
