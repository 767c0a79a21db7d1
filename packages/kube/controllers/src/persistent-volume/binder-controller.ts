import type { corev1, ObjectKey, storagev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, isAlreadyExists, storagev1 as storage } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import { writeStatus } from '../workload/status.ts';
import { findVolume, isReservedFor } from './matching.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;
type StorageClass = storagev1.StorageClass;

/** The provisioner whose volumes are directories of this machine. */
export const localProvisioner = 'hypershift-ts.io/local';

/** Where local volumes live. */
export interface LocalVolumes {
  /** The directory of a new volume; made if it must be. */
  create(volumeName: string): Promise<string>;
  /** Gives the directory and what is in it back. */
  remove(volumeName: string): Promise<void>;
}

const defaultClass = 'storageclass.kubernetes.io/is-default-class';
const bindCompleted = 'pv.kubernetes.io/bind-completed';
const boundByController = 'pv.kubernetes.io/bound-by-controller';
const provisionedBy = 'pv.kubernetes.io/provisioned-by';
const selectedNode = 'volume.kubernetes.io/selected-node';

/** Binds claims to volumes, and makes local volumes for claims that ask for them. */
export function persistentVolumeBinder(local?: LocalVolumes): Controller {
  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<void> {
    const { cache, client, events } = context;
    const live = cache.get(core.persistentvolumeclaims, key);
    if (!live || live.metadata.deletionTimestamp) return;
    const claim = await withDefaultClass(live, context);
    const volumes = cache.list(core.persistentvolumes);
    if (claim.metadata.annotations?.[bindCompleted] && claim.spec?.volumeName) {
      const bound = volumes.find(({ metadata }) => metadata.name === claim.spec?.volumeName);
      if (bound && isReservedFor(bound, claim)) await finishBinding(claim, bound, context);
      else if (claim.status?.phase === 'Bound') {
        events.warning(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
        await writeStatus(client, core.persistentvolumeclaims, claim, { ...claim.status, phase: 'Lost' });
      }
      return;
    }
    const storageClass = classOf(claim, cache);
    const waits =
      storageClass?.volumeBindingMode === 'WaitForFirstConsumer' && !claim.metadata.annotations?.[selectedNode];
    const volume = findVolume(claim, volumes);
    if (volume && (!waits || volume.spec?.claimRef))
      return finishBinding(claim, await reserve(volume, claim, context), context);
    if (storageClass?.provisioner === localProvisioner && local && !waits)
      return provision(claim, storageClass, local, context);
    if (!storageClass && !claim.spec?.storageClassName) {
      events.normal(
        claim,
        'FailedBinding',
        'no persistent volumes available for this claim and no storage class is set',
      );
    } else if (waits) {
      events.normal(claim, 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
    }
    if (!claim.status?.phase)
      await writeStatus(client, core.persistentvolumeclaims, claim, { ...claim.status, phase: 'Pending' });
  }

  return controller<Claim, [Volume, StorageClass]>({
    name: 'persistentvolume-binder-controller',
    for: core.persistentvolumeclaims,
    watches: [
      { type: core.persistentvolumes, map: claimsOf },
      {
        type: storage.storageclasses,
        predicate: { deleted: () => false },
        map: (_class, { cache }) =>
          cache.informer(core.persistentvolumeclaims).list().filter(isUnbound).map(keyOfClaim),
      },
    ],
    reconcile,
  });
}

const isUnbound = ({ spec, status }: Claim) => !spec?.volumeName || status?.phase !== 'Bound';
const keyOfClaim = ({ metadata }: Claim) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });

/** A reserved volume concerns its claim; a free one everybody who waits. */
function claimsOf({ spec }: Volume, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  const { name, namespace } = spec?.claimRef ?? {};
  if (name && namespace) return [{ namespace, name }];
  return cache.informer(core.persistentvolumeclaims).list().filter(isUnbound).map(keyOfClaim);
}

function classOf({ spec }: Claim, cache: InformerCache): StorageClass | undefined {
  return spec?.storageClassName ? cache.get(storage.storageclasses, { name: spec.storageClassName }) : undefined;
}

/** A claim without any class gets the default one, also when that came later. */
async function withDefaultClass(claim: Claim, { cache, client }: ReconcileContext): Promise<Claim> {
  if (claim.spec?.storageClassName !== undefined || claim.spec?.volumeName) return claim;
  const chosen = cache
    .list(storage.storageclasses)
    .filter(({ metadata }) => metadata.annotations?.[defaultClass] === 'true')
    .sort((a, b) => ((b.metadata.creationTimestamp ?? '') < (a.metadata.creationTimestamp ?? '') ? -1 : 1))[0];
  if (!chosen) return claim;
  const { name: storageClassName = '' } = chosen.metadata;
  return client.update(core.persistentvolumeclaims, { ...claim, spec: { ...claim.spec, storageClassName } });
}

async function reserve(volume: Volume, claim: Claim, { client }: ReconcileContext): Promise<Volume> {
  if (volume.spec?.claimRef?.uid === claim.metadata.uid) return volume;
  const annotations = volume.spec?.claimRef
    ? volume.metadata.annotations
    : { ...volume.metadata.annotations, [boundByController]: 'yes' };
  return client.update(core.persistentvolumes, {
    ...volume,
    metadata: { ...volume.metadata, ...(annotations ? { annotations } : {}) },
    spec: { ...volume.spec, claimRef: referenceTo(claim) },
  });
}

function referenceTo({ metadata }: Claim): corev1.ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion };
}

/** Both sides say that they belong together; repeating it changes nothing. */
async function finishBinding(claim: Claim, volume: Volume, { client }: ReconcileContext): Promise<void> {
  if (volume.status?.phase !== 'Bound') {
    await writeStatus(client, core.persistentvolumes, volume, { ...volume.status, phase: 'Bound' });
  }
  let current = claim;
  if (claim.spec?.volumeName !== volume.metadata.name || !claim.metadata.annotations?.[bindCompleted]) {
    const annotations = { ...claim.metadata.annotations, [bindCompleted]: 'yes' };
    current = await client.update(core.persistentvolumeclaims, {
      ...claim,
      metadata: {
        ...claim.metadata,
        annotations: claim.spec?.volumeName ? annotations : { ...annotations, [boundByController]: 'yes' },
      },
      spec: { ...claim.spec, volumeName: volume.metadata.name ?? '' },
    });
  }
  await writeStatus(client, core.persistentvolumeclaims, current, {
    ...current.status,
    phase: 'Bound',
    ...(volume.spec?.accessModes ? { accessModes: volume.spec.accessModes } : {}),
    ...(volume.spec?.capacity ? { capacity: volume.spec.capacity } : {}),
  });
}

async function provision(
  claim: Claim,
  storageClass: StorageClass,
  local: LocalVolumes,
  context: ReconcileContext,
): Promise<void> {
  const { client, events } = context;
  const name = `pvc-${claim.metadata.uid}`;
  const path = await local.create(name);
  try {
    await client.create(core.persistentvolumes, {
      metadata: {
        name,
        annotations: { [provisionedBy]: localProvisioner },
        finalizers: ['kubernetes.io/pv-protection'],
      },
      spec: {
        accessModes: claim.spec?.accessModes ?? ['ReadWriteOnce'],
        capacity: { storage: claim.spec?.resources?.requests?.['storage'] ?? '1Gi' },
        claimRef: referenceTo(claim),
        hostPath: { path, type: 'DirectoryOrCreate' },
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
        storageClassName: storageClass.metadata.name ?? '',
        volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
      },
    });
    events.normal(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  } catch (error) {
    // There already: the watch on volumes brings us back to finish the binding.
    if (!isAlreadyExists(error)) throw error;
  }
}
