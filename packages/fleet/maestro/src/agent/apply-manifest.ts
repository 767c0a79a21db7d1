import {
  isAlreadyExists,
  jsonEqual,
  type KubeObject,
  type OwnerReference,
  type ResourceType,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { applyIfChanged, derives, getIfPresent, overlay } from '@hypershift-ts/kube-controller';
import type { Manifest, UpdateStrategy } from '../work/manifest-work.ts';

/** Who writes, where a work does not name another. */
const fieldManager = 'work-agent';

export interface ManifestTarget {
  readonly client: Client;
  readonly type: ResourceType;
  readonly manifest: Manifest;
  readonly strategy: UpdateStrategy;
  /** The record of the work. */
  readonly owner: OwnerReference;
  /** The object stays when the work goes, so the record must not own it. */
  readonly isOrphaned: boolean;
}

/** Makes the object as the work wants it, and answers what there is then; undefined when the work only looks. */
export async function applyManifest(target: ManifestTarget): Promise<KubeObject | undefined> {
  switch (target.strategy.type) {
    case 'ReadOnly':
      return undefined;
    case 'ServerSideApply':
      return serverSide(target);
    case 'CreateOnly':
      return owned(target, (await live(target)) ?? (await create(target)));
    default:
      return update(target);
  }
}

const keyOf = ({ metadata: { name = '', namespace } }: Manifest) => ({ name, ...(namespace ? { namespace } : {}) });

const live = ({ client, type, manifest }: ManifestTarget): Promise<UnstructuredObject | undefined> =>
  getIfPresent(client, type, keyOf(manifest));

async function create(target: ManifestTarget): Promise<UnstructuredObject> {
  const { client, type, manifest } = target;
  const ownerReferences = ownersOf(target, manifest);
  try {
    const metadata = { ...manifest.metadata, ...(ownerReferences.length > 0 ? { ownerReferences } : {}) };
    return await client.create(type, { ...manifest, metadata } as UnstructuredObject, { fieldManager });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return client.get(type, keyOf(manifest));
  }
}

/** Everything but metadata and status becomes what the work says; labels, annotations and owners are only added. */
async function update(target: ManifestTarget): Promise<KubeObject> {
  const { client, type, manifest } = target;
  const present = await live(target);
  if (!present) return create(target);
  const { metadata, status: _status, ...wanted } = manifest;
  const { labels, annotations } = metadata;
  const ownerReferences = ownersOf(target, present);
  const desired = {
    ...wanted,
    metadata: {
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
  };
  if (derives(desired, present) && jsonEqual(ownerReferences, present.metadata.ownerReferences ?? [])) return present;
  const next = overlay(present, { ...desired, metadata: { ...desired.metadata, ownerReferences } });
  return client.update(type, next as UnstructuredObject, { fieldManager });
}

async function serverSide(target: ManifestTarget): Promise<KubeObject> {
  const { client, type, manifest, strategy } = target;
  const { status: _status, ...wanted } = manifest;
  const { creationTimestamp: _created, ...metadata } = wanted.metadata;
  const desired = {
    ...wanted,
    metadata: {
      ...metadata,
      name: metadata.name ?? '',
      ...(target.isOrphaned ? {} : { ownerReferences: [...(metadata.ownerReferences ?? []), target.owner] }),
    },
  };
  const { object } = await applyIfChanged(client, type, desired, {
    fieldManager: strategy.serverSideApply?.fieldManager ?? fieldManager,
    force: strategy.serverSideApply?.force ?? false,
  });
  return object;
}

/** The owners an object should have: the record among them, unless the object is to outlive the work. */
function ownersOf({ owner, isOrphaned }: ManifestTarget, { metadata }: KubeObject): readonly OwnerReference[] {
  const present = metadata.ownerReferences ?? [];
  if (isOrphaned) return present.filter(({ uid }) => uid !== owner.uid);
  return present.some(({ uid }) => uid === owner.uid) ? present : [...present, owner];
}

async function owned(target: ManifestTarget, present: UnstructuredObject): Promise<KubeObject> {
  const ownerReferences = ownersOf(target, present);
  if (jsonEqual(ownerReferences, present.metadata.ownerReferences ?? [])) return present;
  const patch = { type: 'merge', body: { metadata: { ownerReferences } } } as const;
  return target.client.patch(target.type, keyOf(target.manifest), patch, { fieldManager });
}
