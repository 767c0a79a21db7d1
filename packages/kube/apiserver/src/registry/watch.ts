import { StatusError, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { CompactedError, type Entry, type StoreEvent, type WatchHandle } from '@hypershift-ts/kube-store';
import type { Resource } from '../resource/resource.ts';
import { decodeStored } from '../storage/codec.ts';
import { keyRange, storageKey } from '../storage/keys.ts';
import type { Registry } from './registry.ts';
import { parseResourceVersion, tooLargeResourceVersion, tooOldResourceVersion } from './resource-version.ts';
import type { Selection } from './selection.ts';

/** Query options of a watch. */
export interface WatchRequest {
  readonly namespace: string;
  readonly selection: Selection;
  readonly resourceVersion: string;
  /** Absent: what exists is sent when no resourceVersion says where to begin. */
  readonly sendInitialEvents?: boolean;
  readonly allowBookmarks: boolean;
}

/** What a watcher is told, in revision order. `entry` carries the object (for DELETED: its last state). */
export interface WatchNotice {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: Entry;
  /** The revision of the change; for DELETED it is newer than the entry's own. */
  readonly revision: number;
}

export interface WatchSink {
  notice(notice: WatchNotice): void;
  /** Everything up to `revision` has been delivered. `initialEnd` marks the end of the initial events. */
  bookmark(revision: number, initialEnd: boolean): void;
  /** The watch is over: an ERROR event for the client. */
  fail(error: StatusError): void;
}

/** Starts a watch: first what exists, when asked, then every change. Returns how to stop it. */
export async function startWatch(
  registry: Registry,
  resource: Resource,
  request: WatchRequest,
  sink: WatchSink,
): Promise<WatchHandle> {
  const { selection } = request;
  const namespace = resource.namespaced ? request.namespace || selection.namespace || '' : '';
  const range = watchRange(resource, namespace, selection);
  const from = parseResourceVersion(request.resourceVersion);
  const replay = request.sendInitialEvents ?? from === 0;
  const current = await registry.store.currentRevision();
  if (from > current) throw tooLargeResourceVersion(from, current);
  if (!replay && from > 0) await checkKnown(registry, from);

  let after = from === 0 ? current : from;
  if (replay) {
    const { entries, revision } = await registry.store.range(range);
    after = revision;
    for (const entry of entries)
      if (!selection.matches || selection.matches(await served(resource, entry)))
        sink.notice({ type: 'ADDED', entry, revision: entry.modRevision });
    if (request.sendInitialEvents && request.allowBookmarks) sink.bookmark(revision, true);
  }
  return registry.store.watch({
    ...range,
    afterRevision: after,
    onEvents: deliver(resource, selection, sink),
    ...(request.allowBookmarks ? { onProgress: (revision: number) => sink.bookmark(revision, false) } : {}),
    onEnd: (error) => sink.fail(endOf(error, after)),
  });
}

/** Async only for converting versions; those watchers get their events through a promise chain, in order. */
function deliver(resource: Resource, selection: Selection, sink: WatchSink): (events: readonly StoreEvent[]) => void {
  const { matches } = selection;
  if (!matches)
    return (events) => {
      for (const event of events) {
        const notice = plainNotice(event);
        if (notice) sink.notice(notice);
      }
    };
  if (!resource.storage.fromStorage)
    return (events) => {
      for (const event of events) {
        const notice = selectedNotice(event, (entry) => matches(decodeStored(entry)));
        if (notice) sink.notice(notice);
      }
    };
  let chain = Promise.resolve();
  return (events) => {
    chain = chain.then(async () => {
      for (const event of events) {
        const now = event.type === 'put' && matches(await served(resource, event.entry));
        const before = event.previous !== undefined && matches(await served(resource, event.previous));
        const notice = selectedNotice(event, (entry) => (entry === event.previous ? before : now));
        if (notice) sink.notice(notice);
      }
    });
  };
}

function plainNotice(event: StoreEvent): WatchNotice | undefined {
  if (event.type === 'put')
    return { type: event.previous ? 'MODIFIED' : 'ADDED', entry: event.entry, revision: event.revision };
  return event.previous ? { type: 'DELETED', entry: event.previous, revision: event.revision } : undefined;
}

/** An object that begins to match is ADDED to this watcher, one that stops matching is DELETED from it. */
function selectedNotice(event: StoreEvent, matches: (entry: Entry) => boolean): WatchNotice | undefined {
  const before = event.previous !== undefined && matches(event.previous);
  if (event.type === 'delete')
    return before ? { type: 'DELETED', entry: event.previous!, revision: event.revision } : undefined;
  const now = matches(event.entry);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', entry: event.entry, revision: event.revision };
  return before ? { type: 'DELETED', entry: event.previous!, revision: event.revision } : undefined;
}

function watchRange(resource: Resource, namespace: string, selection: Selection): { start: string; end: string } {
  if (selection.name !== undefined && (!resource.namespaced || namespace !== '')) {
    const key = storageKey(resource.storage.prefix, namespace || undefined, selection.name);
    return { start: key, end: `${key}\0` };
  }
  return keyRange(resource.storage.prefix, namespace || undefined);
}

async function served(resource: Resource, entry: Entry): Promise<UnstructuredObject> {
  const convert = resource.storage.fromStorage;
  return convert ? (await convert([decodeStored(entry)]))[0]! : decodeStored(entry);
}

async function checkKnown(registry: Registry, from: number): Promise<void> {
  const oldest = await registry.store.compactedRevision();
  if (from < oldest) throw tooOldResourceVersion(from, oldest);
}

function endOf(error: Error, after: number): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof CompactedError) return tooOldResourceVersion(after, error.compactedRevision);
  return new StatusError(500, 'InternalError', `Internal error occurred: the watch lost its store: ${error.message}`);
}
