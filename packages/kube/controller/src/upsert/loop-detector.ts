import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Logger } from '../logger.ts';

const maxTracked = 10_000;

/**
 * Notices two writers fighting over one object, or a desired state that never settles: an object updated many times
 * in a row without a single "nothing to do" in between.
 */
export class LoopDetector {
  private readonly log: Logger;
  private readonly threshold: number;
  private readonly updates = new Map<string, number>();

  constructor(log: Logger, threshold = 10) {
    this.log = log;
    this.threshold = threshold;
  }

  /** The object was written. */
  updated(type: ResourceType<KubeObject>, key: string, previous: KubeObject, next: KubeObject): void {
    const id = `${type.resource}.${type.group}/${key}`;
    const count = (this.updates.get(id) ?? 0) + 1;
    // Objects that were deleted in the middle of it leave their count behind; forgetting all is harmless.
    if (this.updates.size > maxTracked) this.updates.clear();
    this.updates.set(id, count);
    // Again at every multiple: once is overlooked, every time would be a flood.
    if (count % this.threshold !== 0) return;
    this.log.warn(
      {
        resource: type.resource,
        object: key,
        updates: count,
        changed: changedFields(previous, next),
      },
      'the object is being updated over and over without ever settling; somebody else may be undoing the change',
    );
  }

  /** The object needed no write, or is gone. */
  settled(type: ResourceType<KubeObject>, key: string): void {
    this.updates.delete(`${type.resource}.${type.group}/${key}`);
  }
}

/** Which top-level fields differ; never their values, which may be secret. */
function changedFields(previous: KubeObject, next: KubeObject): string[] {
  const a = previous as unknown as Record<string, unknown>;
  const b = next as unknown as Record<string, unknown>;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (field) => field !== 'metadata' && JSON.stringify(a[field]) !== JSON.stringify(b[field]),
  );
}
