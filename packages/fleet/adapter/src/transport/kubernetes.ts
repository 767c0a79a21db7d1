import type { ObjectKey, ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { isAlreadyExists, isConflict, isExpired, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { RestMapper } from '@hypershift-ts/kube-client';
import { newestOf, nextOperation } from './generation.ts';
import type { ApplyOutcome, ApplyRequest, DeleteRequest, DiscoveryQuery, Transport } from './transport.ts';

const fieldManager = 'hyperfleet-adapter';
const mostConflicts = 5;

/** Applies objects directly to one cluster. */
export class KubernetesTransport implements Transport {
  private readonly client: Client;
  private readonly mapper: RestMapper;

  constructor(client: Client, mapper: RestMapper = new RestMapper(client)) {
    this.client = client;
    this.mapper = mapper;
  }

  async apply({ manifest, recreateOnChange }: ApplyRequest, signal?: AbortSignal): Promise<ApplyOutcome> {
    const type = await this.mapper.typeOf(manifest);
    const key = keyIn(type, manifest);
    for (let attempt = 1; ; attempt++) {
      const existing = await this.get(type, key, signal);
      const outcome = nextOperation(manifest, existing, recreateOnChange);
      try {
        return await this.perform(outcome, type, manifest, existing, signal);
      } catch (error) {
        // Somebody else wrote in between: what is right now depends on what they wrote.
        if (!isConflict(error) || attempt >= mostConflicts) throw error;
      }
    }
  }

  private async perform(
    outcome: ApplyOutcome,
    type: ResourceType,
    manifest: UnstructuredObject,
    existing: UnstructuredObject | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ApplyOutcome> {
    const options = { fieldManager, ...(signal ? { signal } : {}) };
    switch (outcome.operation) {
      case 'create':
        try {
          await this.client.create(type, manifest, options);
        } catch (error) {
          if (!isAlreadyExists(error)) throw error;
          return { operation: 'skip', reason: 'resource was created by somebody else meanwhile' };
        }
        return outcome;
      case 'update':
        await this.client.update(type, replacing(manifest, existing!), options);
        return outcome;
      case 'recreate':
        await this.remove(type, existing!, signal);
        await this.client.create(type, manifest, options);
        return outcome;
      default:
        return outcome;
    }
  }

  async find(query: DiscoveryQuery, signal?: AbortSignal): Promise<UnstructuredObject | undefined> {
    const type = await this.typeOf(query);
    if (!type) return undefined;
    const namespace = type.namespaced && query.namespace !== '*' ? query.namespace : undefined;
    const { name, labels = {} } = query;
    const isPlaced = !type.namespaced || (namespace !== undefined && namespace !== '');
    if (name !== undefined && isPlaced) return this.get(type, namespace ? { namespace, name } : { name }, signal);
    const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    const { items } = await this.client.list(type, {
      ...(namespace ? { namespace } : {}),
      ...(selector.length > 0 ? { labelSelector: selector.join(',') } : {}),
      ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
      ...(signal ? { signal } : {}),
    });
    const found = newestOf(items);
    return found && { ...found, apiVersion: query.apiVersion, kind: query.kind };
  }

  async delete({ object, propagationPolicy }: DeleteRequest, signal?: AbortSignal): Promise<void> {
    const type = await this.mapper.typeOf(object);
    const { uid } = object.metadata;
    try {
      await this.client.delete(type, keyIn(type, object), {
        propagationPolicy,
        ...(uid === undefined ? {} : { preconditions: { uid } }),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      // Gone already, or replaced by a new object that nobody asked to delete.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** Deletes and waits until the object is really gone. */
  private async remove(type: ResourceType, object: UnstructuredObject, signal?: AbortSignal): Promise<void> {
    await this.delete({ object, propagationPolicy: 'Background' }, signal);
    const key = keyIn(type, object);
    for (;;) {
      const present = await this.get(type, key, signal);
      if (!present || present.metadata.uid !== object.metadata.uid) return;
      await this.untilDeleted(type, present, signal);
      signal?.throwIfAborted();
    }
  }

  private async untilDeleted(type: ResourceType, object: UnstructuredObject, signal?: AbortSignal): Promise<void> {
    const { namespace, name, resourceVersion } = object.metadata;
    try {
      const events = this.client.watch(type, {
        ...(namespace ? { namespace } : {}),
        fieldSelector: `metadata.name=${name}`,
        ...(resourceVersion ? { resourceVersion } : {}),
        ...(signal ? { signal } : {}),
      });
      for await (const event of events) if (event.type === 'DELETED') return;
    } catch (error) {
      if (!isExpired(error)) throw error;
    }
  }

  /** A kind that the cluster does not know has no objects. */
  private async typeOf(query: DiscoveryQuery): Promise<ResourceType | undefined> {
    try {
      return await this.mapper.typeOf(query);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private async get(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<UnstructuredObject | undefined> {
    try {
      return await this.client.get(type, key, signal ? { signal } : {});
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function keyIn(type: ResourceType, { metadata }: UnstructuredObject): ObjectKey {
  const { name = '', namespace } = metadata;
  return type.namespaced ? { namespace: namespace ?? 'default', name } : { name };
}

/** The manifest in place of what is there. Finalizers and owners are others' business unless the manifest has them. */
function replacing(manifest: UnstructuredObject, existing: UnstructuredObject): UnstructuredObject {
  const { resourceVersion, uid, finalizers, ownerReferences } = existing.metadata;
  return {
    ...manifest,
    metadata: {
      ...(finalizers ? { finalizers } : {}),
      ...(ownerReferences ? { ownerReferences } : {}),
      ...manifest.metadata,
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(uid ? { uid } : {}),
    },
  };
}
