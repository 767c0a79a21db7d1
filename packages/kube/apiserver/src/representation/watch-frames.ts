import type { Entry } from '@hypershift-ts/kube-store';
import type { WatchNotice } from '../registry/watch.ts';
import { wireText } from '../storage/codec.ts';

/**
 * Watch events as bytes. A change usually goes to many watchers at once, so its frame is made once and
 * remembered for a moment; the memory is bounded and shared by all servers of the process.
 */

const remembered = new Map<Entry, { readonly type: string; readonly revision: number; readonly frame: Buffer }>();
const rememberedFrames = 256;

/** One line of a JSON watch stream for an object in its stored version. */
export function watchFrame(notice: WatchNotice): Buffer {
  const known = remembered.get(notice.entry);
  if (known && known.type === notice.type && known.revision === notice.revision) return known.frame;
  const revision = notice.type === 'DELETED' ? notice.revision : notice.entry.modRevision;
  const frame = Buffer.from(`{"type":"${notice.type}","object":${wireText(notice.entry, revision)}}\n`, 'utf8');
  remembered.delete(notice.entry);
  remembered.set(notice.entry, { type: notice.type, revision: notice.revision, frame });
  if (remembered.size > rememberedFrames) remembered.delete(remembered.keys().next().value!);
  return frame;
}

export function objectFrame(type: string, object: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`, 'utf8');
}

export function bookmarkObject(apiVersion: string, kind: string, revision: number, initialEnd: boolean): object {
  return {
    kind,
    apiVersion,
    metadata: {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  };
}
