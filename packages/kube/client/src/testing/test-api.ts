import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import { answerJson } from './test-server.ts';

export interface Thing extends KubeObject {
  readonly spec: { readonly value: number };
}

export const things: ResourceType<Thing> = {
  group: 'example.org',
  version: 'v1',
  kind: 'Thing',
  resource: 'things',
  namespaced: true,
};

interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Thing;
}

/** The list and watch side of an API server for one type, with history, compaction and paging; enough to torment informers. */
export class TestApi {
  readonly requests: string[] = [];
  /** When it answers true the request was dealt with. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  streamingLists = true;
  revision = 10;
  private compacted = 0;
  private readonly objects = new Map<string, Thing>();
  private history: Change[] = [];
  private readonly watchers = new Set<ServerResponse>();
  private readonly pages = new Map<string, Thing[]>();

  put(name: string, value: number): void {
    const known = this.objects.get(name);
    const metadata = { namespace: 'ns', name, uid: known?.metadata.uid ?? `uid-${name}-${this.revision}` };
    const resourceVersion = String(++this.revision);
    const object = {
      apiVersion: 'example.org/v1',
      kind: 'Thing',
      metadata: { ...metadata, resourceVersion },
      spec: { value },
    };
    this.objects.set(name, object);
    this.record({ revision: this.revision, type: known ? 'MODIFIED' : 'ADDED', object });
  }

  remove(name: string): void {
    const known = this.objects.get(name);
    if (!known) return;
    this.objects.delete(name);
    const object = { ...known, metadata: { ...known.metadata, resourceVersion: String(++this.revision) } };
    this.record({ revision: this.revision, type: 'DELETED', object });
  }

  bookmark(): void {
    for (const watcher of this.watchers) this.sendBookmark(watcher, {});
  }

  /** Forgets history and breaks continue tokens. */
  compact(): void {
    this.compacted = this.revision;
    this.history = [];
    this.pages.clear();
  }

  /** Ends every watch politely. */
  endWatches(): void {
    for (const watcher of this.watchers) watcher.end();
    this.watchers.clear();
  }

  get openWatches(): number {
    return this.watchers.size;
  }

  values(): Record<string, number> {
    return Object.fromEntries([...this.objects].map(([name, { spec }]) => [name, spec.value]));
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.requests.push(request.url ?? '');
    if (this.intercept(request, response)) return;
    const { searchParams } = new URL(request.url ?? '', 'https://x');
    if (searchParams.get('watch') === 'true') this.watch(searchParams, response);
    else this.list(searchParams, response);
  };

  private list(query: URLSearchParams, response: ServerResponse): void {
    const token = query.get('continue');
    const all = token ? this.pages.get(token) : [...this.objects.values()];
    if (!all) {
      const gone = statusErrors.expired('The provided continue parameter is too old');
      return answerJson(response, 410, gone.toStatus());
    }
    const limit = Number(query.get('limit') ?? 0) || all.length;
    const rest = all.slice(limit);
    const next = rest.length > 0 ? `token-${this.revision}-${rest.length}` : undefined;
    if (next) this.pages.set(next, rest);
    answerJson(response, 200, {
      kind: 'ThingList',
      apiVersion: 'example.org/v1',
      metadata: { resourceVersion: String(this.revision), ...(next ? { continue: next } : {}) },
      items: all.slice(0, limit),
    });
  }

  private watch(query: URLSearchParams, response: ServerResponse): void {
    const initial = query.get('sendInitialEvents') === 'true';
    if (initial && !this.streamingLists) {
      const error = statusErrors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', []);
      return answerJson(response, 422, error.toStatus());
    }
    const from = Number(query.get('resourceVersion') ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!initial && from < this.compacted) {
      const error = statusErrors.expired(`too old resource version: ${from} (${this.compacted})`);
      response.end(`${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`);
      return;
    }
    if (initial) {
      for (const object of this.objects.values()) this.send(response, 'ADDED', object);
      this.sendBookmark(response, { 'k8s.io/initial-events-end': 'true' });
    } else {
      for (const change of this.history) if (change.revision > from) this.send(response, change.type, change.object);
    }
    // Headers must go out even when there is nothing to say yet.
    response.flushHeaders?.();
    if (!response.headersSent || response.writableLength === 0) response.write('');
    this.watchers.add(response);
    response.on('close', () => this.watchers.delete(response));
  }

  private record(change: Change): void {
    this.history.push(change);
    for (const watcher of this.watchers) this.send(watcher, change.type, change.object);
  }

  private send(response: ServerResponse, type: string, object: object): void {
    response.write(`${JSON.stringify({ type, object })}\n`);
  }

  private sendBookmark(response: ServerResponse, annotations: Record<string, string>): void {
    const metadata = { resourceVersion: String(this.revision), annotations };
    this.send(response, 'BOOKMARK', { apiVersion: 'example.org/v1', kind: 'Thing', metadata });
  }
}
