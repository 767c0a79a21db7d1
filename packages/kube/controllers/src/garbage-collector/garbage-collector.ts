import type { Clock, KubeObject, ObjectKey, OwnerReference, ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  foregroundFinalizer,
  isConflict,
  isNotFound,
  jsonEqual,
  keyOf,
  orphanFinalizer,
  parseKey,
} from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';
import type { EventRecorder, Logger } from '@hypershift-ts/kube-controller';
import { removeFinalizer, WorkQueue } from '@hypershift-ts/kube-controller';
import type { ServedTypes } from '../discovery/served-types.ts';
import type { Place } from './owner-graph.ts';
import { isDeletingDependents, isOrphaningDependents, OwnerGraph, placeId } from './owner-graph.ts';
import type { OwnerState } from './owner-verdict.ts';
import { verdictFor } from './owner-verdict.ts';
import { WatchedTypes } from './watched-types.ts';

export interface GarbageCollectorOptions {
  readonly client: Client;
  readonly cache: InformerCache;
  readonly served: ServedTypes;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly concurrency?: number;
}

/** Deletes what lost its last owner, and carries out foreground and orphaning deletions. */
export class GarbageCollector {
  private readonly options: GarbageCollectorOptions;
  private readonly graph = new OwnerGraph();
  private readonly queue: WorkQueue;
  private readonly places = new Map<string, Place>();
  private readonly watched: WatchedTypes;
  private active = 0;
  private running = false;
  private onIdle: (() => void) | undefined;

  constructor(options: GarbageCollectorOptions) {
    this.options = options;
    this.queue = new WorkQueue({ clock: options.clock, onReady: () => this.pump() });
    this.watched = new WatchedTypes(options, {
      appeared: (type, object, initial) => this.appeared(type, object, initial),
      changed: (type, before, next) => this.changed(type, before, next),
      vanished: (type, object) => this.vanished(type, object),
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.watched.start(signal);
    this.running = true;
    this.pump();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.watched.stop();
    this.queue.close();
    if (this.active > 0) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    }
  }

  private appeared(type: ResourceType<KubeObject>, object: KubeObject, initial: boolean): void {
    const owners = object.metadata.ownerReferences;
    const place = { type, key: keyOf(object) };
    if (owners?.length) {
      this.graph.update(place, undefined, owners);
      // While everything is still being listed, most owners only have not been seen yet; all are looked at afterwards.
      if (initial || owners.some((owner) => !this.isKnown(owner, object))) this.enqueue(place, initial);
    }
    if (isDeletingDependents(object) || isOrphaningDependents(object)) this.enqueue(place, initial);
  }

  private changed(type: ResourceType<KubeObject>, before: KubeObject, next: KubeObject): void {
    const place = { type, key: keyOf(next) };
    const owners = next.metadata.ownerReferences;
    if (!jsonEqual(before.metadata.ownerReferences ?? [], owners ?? [])) {
      this.graph.update(place, before.metadata.ownerReferences, owners);
      if (owners?.some((owner) => !this.isKnown(owner, next))) this.enqueue(place);
      // An owner that waits for this dependent may not have to any more.
      for (const owner of before.metadata.ownerReferences ?? []) this.wakeWaitingOwner(owner, next);
    }
    if (isDeletingDependents(next) || isOrphaningDependents(next)) this.enqueue(place);
  }

  private vanished(type: ResourceType<KubeObject>, object: KubeObject): void {
    const { uid, ownerReferences } = object.metadata;
    this.graph.update({ type, key: keyOf(object) }, ownerReferences, undefined);
    for (const dependent of this.graph.dependentsOf(uid)) this.enqueue(dependent);
    for (const owner of ownerReferences ?? []) this.wakeWaitingOwner(owner, object);
  }

  private wakeWaitingOwner(reference: OwnerReference, dependent: KubeObject): void {
    const owner = this.cachedOwner(reference, dependent);
    if (owner && isDeletingDependents(owner.object)) this.enqueue({ type: owner.type, key: keyOf(owner.object) });
  }

  private isKnown(reference: OwnerReference, dependent: KubeObject): boolean {
    const owner = this.cachedOwner(reference, dependent);
    return owner !== undefined && !isDeletingDependents(owner.object);
  }

  private cachedOwner(reference: OwnerReference, dependent: KubeObject) {
    const type = this.watched.typeOf(reference);
    if (!type || (type.namespaced && !dependent.metadata.namespace)) return undefined;
    const object = this.watched.get({ type, key: textOf(ownerKey(type, reference, dependent)) });
    return object?.metadata.uid === reference.uid && object ? { type, object } : undefined;
  }

  private enqueue(place: Place, low = false): void {
    const id = placeId(place);
    this.places.set(id, place);
    this.queue.add(id, low ? 'low' : 'normal');
  }

  private pump(): void {
    while (this.running && this.active < (this.options.concurrency ?? 20)) {
      const item = this.queue.take();
      if (!item) return;
      const place = this.places.get(item.key);
      this.places.delete(item.key);
      if (!place) {
        this.queue.done(item.key);
        continue;
      }
      this.active++;
      void this.work(item.key, place);
    }
  }

  private async work(id: string, place: Place): Promise<void> {
    try {
      await this.process(place);
      this.queue.forget(id);
    } catch (error) {
      if (this.running) {
        this.places.set(id, place);
        const retryInMs = Math.round(this.queue.addRateLimited(id));
        if (!isConflict(error))
          this.options.log.warn({ err: error, object: id, retryInMs }, 'garbage collection failed');
      }
    } finally {
      this.queue.done(id);
      this.active--;
      if (this.active === 0) this.onIdle?.();
      this.pump();
    }
  }

  private async process(place: Place): Promise<void> {
    const object = this.watched.get(place);
    if (!object) return;
    if (isOrphaningDependents(object)) return this.orphanDependents(place, object);
    if (isDeletingDependents(object)) return this.deleteDependents(place, object);
    if (object.metadata.deletionTimestamp || !object.metadata.ownerReferences?.length) return;
    await this.judge(place, object);
  }

  /** Deletes the object, or drops references, when owners are gone. */
  private async judge({ type, key }: Place, object: KubeObject): Promise<void> {
    const owners: { reference: OwnerReference; state: OwnerState }[] = [];
    for (const reference of object.metadata.ownerReferences ?? []) {
      owners.push({ reference, state: await this.stateOf(reference, object) });
    }
    const dependents = this.graph.dependentsOf(object.metadata.uid);
    const verdict = verdictFor(object, owners, dependents.length > 0);
    if (verdict.action === 'keep') return;
    if (verdict.action === 'drop-references') return this.dropReferences(type, object, verdict.uids);
    const cycle = dependents.some((place) => {
      const dependent = this.watched.get(place);
      return dependent !== undefined && isDeletingDependents(dependent);
    });
    // In a circle everybody would wait for everybody.
    if (cycle && verdict.policy === 'Foreground') await this.unblock(type, object);
    const { uid } = object.metadata;
    try {
      await this.options.client.delete(type, parseKey(key), {
        propagationPolicy: verdict.policy,
        ...(uid ? { preconditions: { uid } } : {}),
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  private async stateOf(reference: OwnerReference, dependent: KubeObject): Promise<OwnerState> {
    const cached = this.cachedOwner(reference, dependent);
    if (cached) return isDeletingDependents(cached.object) ? 'waiting' : 'solid';
    const type = this.watched.typeOf(reference) ?? (await this.options.served.typeOf(reference));
    if (type.namespaced && !dependent.metadata.namespace) {
      const { apiVersion, kind, name, uid } = reference;
      const message = `ownerRef [${apiVersion}/${kind}, namespace: , name: ${name}, uid: ${uid}] does not exist in namespace ""`;
      this.options.events.warning(dependent, 'OwnerRefInvalidNamespace', message);
      return 'unresolvable';
    }
    try {
      // The cache may lag: only the server's word makes an owner absent.
      const owner = await this.options.client.get(type, ownerKey(type, reference, dependent));
      if (owner.metadata.uid !== reference.uid) return 'absent';
      return isDeletingDependents(owner) ? 'waiting' : 'solid';
    } catch (error) {
      if (isNotFound(error)) return 'absent';
      throw error;
    }
  }

  private async deleteDependents({ type }: Place, object: KubeObject): Promise<void> {
    const { uid } = object.metadata;
    let blocked = false;
    for (const place of this.graph.dependentsOf(uid)) {
      const dependent = this.watched.get(place);
      const reference = dependent?.metadata.ownerReferences?.find((owner) => owner.uid === uid);
      if (!dependent || !reference?.blockOwnerDeletion) continue;
      blocked = true;
      if (!isDeletingDependents(dependent)) this.enqueue(place);
    }
    if (!blocked) await removeFinalizer(this.options.client, type, object, foregroundFinalizer);
  }

  private async orphanDependents({ type }: Place, object: KubeObject): Promise<void> {
    const { uid = '' } = object.metadata;
    for (const place of this.graph.dependentsOf(uid)) {
      const dependent = this.watched.get(place);
      if (dependent) await this.dropReferences(place.type, dependent, [uid]);
    }
    await removeFinalizer(this.options.client, type, object, orphanFinalizer);
  }

  private async dropReferences(type: ResourceType<KubeObject>, object: KubeObject, uids: readonly string[]) {
    const kept = (object.metadata.ownerReferences ?? []).filter((owner) => !uids.includes(owner.uid));
    await this.patchOwners(type, object, kept.length > 0 ? kept : null);
  }

  private async unblock(type: ResourceType<KubeObject>, object: KubeObject): Promise<void> {
    const owners = (object.metadata.ownerReferences ?? []).map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    await this.patchOwners(type, object, owners);
  }

  private async patchOwners(
    type: ResourceType<KubeObject>,
    object: KubeObject,
    ownerReferences: readonly OwnerReference[] | null,
  ): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    const body = { metadata: { uid, resourceVersion, ownerReferences } };
    try {
      await this.options.client.patch(type, parseKey(keyOf(object)), { type: 'merge', body });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function ownerKey(type: ResourceType<KubeObject>, reference: OwnerReference, dependent: KubeObject): ObjectKey {
  const { namespace } = dependent.metadata;
  return type.namespaced && namespace ? { namespace, name: reference.name } : { name: reference.name };
}

function textOf({ namespace, name }: ObjectKey): string {
  return namespace ? `${namespace}/${name}` : name;
}
