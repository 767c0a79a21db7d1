import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, isAlreadyExists, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache, NewObject, Scope } from '@hypershift-ts/kube-client';
import { createOrUpdate, deleteIfPresent, derives, getIfPresent, overlay } from '@hypershift-ts/kube-controller';
import { describeGuestObject, type GuestObject, managedLabel } from './guest-object.ts';

/** Kinds that others make too and that are few, so that all of them are cached. */
const unfiltered = new Set([
  'clusterversions.config.openshift.io',
  'configs.imageregistry.operator.openshift.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'namespaces.',
]);

/** Which objects of a kind are cached. */
export function scopeOf({ resource, group }: Pick<ResourceType, 'resource' | 'group'>): Scope {
  return unfiltered.has(`${resource}.${group}`) ? {} : { labelSelector: `${managedLabel}=true` };
}

/** A way into the hosted cluster: writes go to the server, reads come from what is watched. */
export class GuestWriter {
  private readonly client: Client;
  private readonly cache: InformerCache;
  private readonly signal: AbortSignal;

  constructor(client: Client, cache: InformerCache, signal: AbortSignal) {
    this.client = client;
    this.cache = cache;
    this.signal = signal;
  }

  /** The object as last seen; undefined also for one that does not carry our label. */
  seen<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined {
    return this.cache.get(type, key, scopeOf(type));
  }

  /** Makes one object what it should be and writes nothing when it is so. Errors name the object. */
  async apply(wanted: GuestObject): Promise<void> {
    const { type, manifest, status, keeping, unwatched } = wanted;
    const { name, namespace } = manifest.metadata;
    const key: ObjectKey = { name, ...(namespace ? { namespace } : {}) };
    try {
      const live = unwatched
        ? ((await getIfPresent(this.client, type, key, { signal: this.signal })) ?? null)
        : (this.seen(type, key) ?? null);
      if (keeping === 'remove') {
        await deleteIfPresent(this.client, type, key, { live, signal: this.signal });
        return;
      }
      const object = await this.upsert(wanted, key, live);
      if (status) await this.writeStatus(type, object, status);
    } catch (error) {
      throw new Error(`${describeGuestObject(wanted)}: ${reasonOf(error)}`, { cause: error });
    }
  }

  private async upsert(wanted: GuestObject, key: ObjectKey, live: KubeObject | null): Promise<KubeObject> {
    const { type, keeping } = wanted;
    const manifest = wanted.manifest as unknown as NewObject<KubeObject>;
    const { signal } = this;
    if (live && keeping === 'create') return live;
    try {
      return (await createOrUpdate(this.client, type, key, manifest, { live, signal })).object;
    } catch (error) {
      if (live || !isAlreadyExists(error)) throw error;
    }
    // It exists without our label: somebody took the label off, or made the object before us.
    const found = await getIfPresent(this.client, type, key, { signal });
    if (!found) throw new Error('it came and went at once; it will be tried again');
    const stated =
      keeping === 'create'
        ? ({ metadata: { ...key, labels: manifest.metadata.labels ?? {} } } as typeof manifest)
        : manifest;
    return (await createOrUpdate(this.client, type, key, stated, { live: found, signal })).object;
  }

  private async writeStatus(type: ResourceType<KubeObject>, live: KubeObject, status: object): Promise<void> {
    const current = (live as { readonly status?: unknown }).status;
    if (derives(status, current)) return;
    const next = { ...live, status: overlay(current, status) } as unknown as NewObject<KubeObject>;
    await this.client.update(type, next, { subresource: 'status', signal: this.signal });
  }
}

function reasonOf(error: unknown): string {
  return isNotFound(error) ? `${errorMessage(error)}; is its kind served by the hosted cluster?` : errorMessage(error);
}
