import type { corev1, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller, deleteIfPresent, getIfPresent, hasFinalizer } from '@hypershift-ts/kube-controller';
import { isPodFinished } from '../workload/pod-state.ts';
import { writeStatus } from '../workload/status.ts';
import type { LocalVolumes } from './binder-controller.ts';
import { localProvisioner } from './binder-controller.ts';

type Claim = corev1.PersistentVolumeClaim;
type Pod = corev1.Pod;
type Volume = corev1.PersistentVolume;

const claimFinalizer = 'kubernetes.io/pvc-protection';
const volumeFinalizer = 'kubernetes.io/pv-protection';

/** Follows volumes whose claim is gone: released, and given back when the policy says Delete. */
export function volumeReclaimController(local?: LocalVolumes): Controller {
  return controller<Volume, [Claim]>({
    name: 'persistentvolume-reclaim-controller',
    for: core.persistentvolumes,
    watches: [
      {
        type: core.persistentvolumeclaims,
        predicate: { created: () => false, updated: () => false },
        map: ({ spec }) => (spec?.volumeName ? [{ name: spec.volumeName }] : []),
      },
    ],
    async reconcile(key, { cache, client }) {
      const volume = cache.get(core.persistentvolumes, key);
      if (!volume) return;
      const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
      const isLocal = volume.metadata.annotations?.['pv.kubernetes.io/provisioned-by'] === localProvisioner;
      if (!claimRef?.uid) {
        if (volume.status?.phase !== 'Available' && !claimRef) {
          await writeStatus(client, core.persistentvolumes, volume, { ...volume.status, phase: 'Available' });
        }
        return;
      }
      const claimKey = { namespace: claimRef.namespace ?? '', name: claimRef.name ?? '' };
      if (cache.get(core.persistentvolumeclaims, claimKey)?.metadata.uid === claimRef.uid) return;
      // The cache of claims may lag behind the one of volumes: losing data needs a sure answer.
      const live = await getIfPresent(client, core.persistentvolumeclaims, claimKey);
      if (live?.metadata.uid === claimRef.uid) return;
      const released =
        volume.status?.phase === 'Released'
          ? volume
          : await writeStatus(client, core.persistentvolumes, volume, { ...volume.status, phase: 'Released' });
      if (policy !== 'Delete' || !isLocal) return;
      await local?.remove(volume.metadata.name ?? '');
      await deleteIfPresent(client, core.persistentvolumes, key, { live: released });
    },
  });
}

/** Claims in use by a pod stay until the pod is done. */
export const claimProtectionController = controller<Claim, [Pod]>({
  name: 'persistentvolumeclaim-protection-controller',
  for: {
    type: core.persistentvolumeclaims,
    predicate: { created: isLeaving, updated: (_before: Claim, next: Claim) => isLeaving(next) },
  },
  watches: [
    {
      type: core.pods,
      predicate: { created: () => false, updated: (before, next) => isPodFinished(next) && !isPodFinished(before) },
      map: (pod) => claimsUsedBy(pod).map((name) => ({ namespace: pod.metadata.namespace ?? '', name })),
    },
  ],
  async reconcile(key, { cache, client }) {
    const claim = cache.get(core.persistentvolumeclaims, key);
    if (!claim || !isLeaving(claim) || !hasFinalizer(claim, claimFinalizer)) return;
    if (!isUsed(claim, cache)) await letGo(client, core.persistentvolumeclaims, claim, claimFinalizer);
  },
});

/** Volumes bound to a claim stay until the claim has let go. */
export const volumeProtectionController = controller<Volume>({
  name: 'persistentvolume-protection-controller',
  for: {
    type: core.persistentvolumes,
    predicate: { created: isLeaving, updated: (_before: Volume, next: Volume) => isLeaving(next) },
  },
  async reconcile(key, { cache, client }) {
    const volume = cache.get(core.persistentvolumes, key);
    if (!volume || !isLeaving(volume) || !hasFinalizer(volume, volumeFinalizer) || volume.status?.phase === 'Bound')
      return;
    await letGo(client, core.persistentvolumes, volume, volumeFinalizer);
  },
});

function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function claimsUsedBy({ spec, metadata }: Pod): readonly string[] {
  return (spec.volumes ?? [])
    .map(
      ({ name, persistentVolumeClaim, ephemeral }) =>
        persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : ''),
    )
    .filter((name) => name !== '');
}

function isUsed(claim: Claim, cache: InformerCache): boolean {
  return cache
    .list(core.pods, claim.metadata.namespace ?? '')
    .some((pod) => pod.spec.nodeName && !isPodFinished(pod) && claimsUsedBy(pod).includes(claim.metadata.name ?? ''));
}

/** Takes our finalizer off by an update: the roles that every cluster has for these controllers do not let them patch. */
async function letGo<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<void> {
  const finalizers = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer);
  try {
    await client.update(type, { ...object, metadata: { ...object.metadata, finalizers } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
