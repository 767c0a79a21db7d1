import type { StatusError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { checkListOptions } from '../registry/list-options.ts';
import type { Target } from '../registry/registry.ts';
import { servedObject } from '../registry/registry.ts';
import { compileSelection } from '../registry/selection.ts';
import { startWatch, type WatchNotice, type WatchRequest, type WatchSink } from '../registry/watch.ts';
import { partialMetadata, tableOf } from '../representation/table.ts';
import { bookmarkObject, objectFrame, watchFrame } from '../representation/watch-frames.ts';
import type { RequestContext } from '../request/context.ts';
import type { Representation } from '../request/negotiation.ts';
import { decodeStored } from '../storage/codec.ts';
import type { Exchange } from './exchange.ts';
import { integerParam, type ResourceHandlerOptions, tableRequest } from './query.ts';

/** A watcher that lets this much pile up is cut off; it can resume from its last resourceVersion. */
const maxBacklogBytes = 64 * 1024 * 1024;

/** Streams changes to one HTTP client until it leaves, the time is up, or history was compacted away. */
export async function streamWatch({
  options,
  exchange,
  target,
  representation,
  context,
}: {
  readonly options: ResourceHandlerOptions;
  readonly exchange: Exchange;
  readonly target: Target;
  readonly representation: Representation;
  readonly context: RequestContext;
}): Promise<void> {
  const { registry } = options.api;
  const request = watchRequest(exchange, target);
  const stream = new WatchStream(exchange, target, representation, context);
  const handle = await startWatch(registry, target.resource, request, stream);
  stream.open();
  const cancelTimeout = registry.clock.after(watchSeconds(options, exchange, registry.random) * 1000, () =>
    stream.end(),
  );
  const end = () => stream.end();
  options.closed.addEventListener('abort', end, { once: true });
  if (options.closed.aborted) end();
  await stream.finished;
  options.closed.removeEventListener('abort', end);
  cancelTimeout();
  handle.close();
}

function watchRequest(exchange: Exchange, target: Target): WatchRequest {
  const fields = exchange.param('fieldSelector');
  // GET ...?watch=true on one name is the same as a field selector on it.
  const byName = target.name === '' ? '' : `metadata.name=${target.name}`;
  const sendInitialEvents = exchange.query.has('sendInitialEvents') ? exchange.flag('sendInitialEvents') : undefined;
  checkListOptions({
    watch: true,
    resourceVersion: exchange.param('resourceVersion'),
    resourceVersionMatch: exchange.param('resourceVersionMatch'),
    continue: exchange.param('continue'),
    sendInitialEvents,
  });
  integerParam(exchange.param('timeoutSeconds'));
  return {
    namespace: target.namespace,
    selection: compileSelection(
      target.resource,
      exchange.param('labelSelector'),
      [fields, byName].filter((text) => text !== '').join(','),
    ),
    resourceVersion: exchange.param('resourceVersion'),
    ...(sendInitialEvents === undefined ? {} : { sendInitialEvents }),
    allowBookmarks: exchange.flag('allowWatchBookmarks') && exchange.query.has('allowWatchBookmarks'),
  };
}

function watchSeconds({ minWatchSeconds }: ResourceHandlerOptions, exchange: Exchange, random: () => number): number {
  const asked = Number(exchange.param('timeoutSeconds'));
  return asked > 0 ? asked : minWatchSeconds * (1 + random());
}

/** Writes notices as lines; keeps those that come before the headers are out. */
class WatchStream implements WatchSink {
  readonly finished: Promise<void>;
  private readonly exchange: Exchange;
  private readonly target: Target;
  private readonly representation: Representation;
  private readonly context: RequestContext;
  private readonly early: Buffer[] = [];
  private opened = false;
  private ended = false;
  private columnsSent = false;
  private finish: () => void = () => {};
  /** Orders frames of kinds that need conversion, which may be asynchronous. */
  private conversions: Promise<void> | undefined;

  constructor(exchange: Exchange, target: Target, representation: Representation, context: RequestContext) {
    this.exchange = exchange;
    this.target = target;
    this.representation = representation;
    this.context = context;
    this.finished = new Promise((resolve) => {
      this.finish = resolve;
    });
    exchange.response.on('close', () => this.end());
  }

  open(): void {
    this.exchange.begin(200, { 'content-type': this.representation.contentType });
    // Clients wait for the headers before they trust that the watch is on.
    (this.exchange.response as { flushHeaders?: () => void }).flushHeaders?.();
    this.opened = true;
    for (const frame of this.early.splice(0)) this.write(frame);
    if (this.ended) this.exchange.response.end();
  }

  notice(notice: WatchNotice): void {
    if (this.ended) return;
    const { resource } = this.target;
    if (resource.storage.fromStorage) {
      const before = this.conversions ?? Promise.resolve();
      this.conversions = before.then(async () => {
        const object = await servedObject(resource, notice.entry);
        this.write(this.frameOf(notice.type, atRevision(object, notice)));
      });
    } else if (this.representation.as === 'object') this.write(watchFrame(notice));
    else this.write(this.frameOf(notice.type, atRevision(decodeStored(notice.entry), notice)));
  }

  bookmark(revision: number, initialEnd: boolean): void {
    const { apiVersion, kind } = this.target.resource;
    const object = bookmarkObject(apiVersion, kind, revision, initialEnd) as UnstructuredObject;
    this.write(this.frameOf('BOOKMARK', object));
  }

  fail(error: StatusError): void {
    this.write(objectFrame('ERROR', error.toStatus()));
    this.end();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    if (this.opened && !this.exchange.response.destroyed) this.exchange.response.end();
    this.finish();
  }

  private frameOf(type: string, object: UnstructuredObject): Buffer {
    const { as, metaVersion } = this.representation;
    if (as === 'Table') {
      const table = tableOf(
        this.target.resource,
        type === 'BOOKMARK' ? [] : [object],
        { resourceVersion: object.metadata.resourceVersion ?? '' },
        tableRequest(this.exchange, this.representation, this.context),
        !this.columnsSent,
      );
      this.columnsSent = true;
      return objectFrame(type, table);
    }
    return objectFrame(type, as === 'PartialObjectMetadata' ? partialMetadata(object, metaVersion) : object);
  }

  private write(frame: Buffer): void {
    if (this.ended) return;
    if (!this.opened) {
      this.early.push(frame);
      return;
    }
    const { response } = this.exchange;
    if (response.destroyed) return this.end();
    (response as { write(chunk: Buffer): boolean }).write(frame);
    if (response.writableLength > maxBacklogBytes) {
      response.destroy();
      this.end();
    }
  }
}

function atRevision(object: UnstructuredObject, notice: WatchNotice): UnstructuredObject {
  if (notice.type !== 'DELETED') return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(notice.revision) } };
}
