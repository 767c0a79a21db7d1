import type { corev1, LabelSelector } from '@hypershift-ts/kube-apimachinery';
import { amountOf } from '../placement/pod-requests.ts';
import { selectorFor } from '../workload/selectors.ts';

type Claim = corev1.PersistentVolumeClaim;
type Volume = corev1.PersistentVolume;

const classOf = (name: string | undefined): string => name ?? '';
const sizeOf = (list: { readonly [key: string]: string } | undefined): number =>
  amountOf('storage', list?.['storage'] ?? '0');

/** Whether the volume is reserved for exactly this claim. */
export function isReservedFor(volume: Volume, claim: Claim): boolean {
  const reference = volume.spec?.claimRef;
  if (!reference || reference.name !== claim.metadata.name || reference.namespace !== claim.metadata.namespace)
    return false;
  return !reference.uid || reference.uid === claim.metadata.uid;
}

/** Whether the volume could serve the claim at all. */
function couldServe({ spec, metadata }: Volume, claim: Claim): boolean {
  const wanted = claim.spec ?? {};
  if (metadata.deletionTimestamp || !spec) return false;
  if (classOf(spec.storageClassName) !== classOf(wanted.storageClassName)) return false;
  if ((spec.volumeMode ?? 'Filesystem') !== (wanted.volumeMode ?? 'Filesystem')) return false;
  if (!(wanted.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode))) return false;
  if (sizeOf(spec.capacity) < sizeOf(wanted.resources?.requests)) return false;
  return !wanted.selector || selectorFor(wanted.selector as LabelSelector).matches(metadata.labels);
}

/** The volume for a claim: one reserved for it, else the smallest that is free and fits. */
export function findVolume(claim: Claim, volumes: readonly Volume[]): Volume | undefined {
  const named = claim.spec?.volumeName;
  if (named) {
    const volume = volumes.find(({ metadata }) => metadata.name === named);
    return volume && (!volume.spec?.claimRef || isReservedFor(volume, claim)) ? volume : undefined;
  }
  const reserved = volumes.find((volume) => isReservedFor(volume, claim));
  if (reserved) return reserved;
  return volumes
    .filter((volume) => !volume.spec?.claimRef && couldServe(volume, claim))
    .sort((a, b) => sizeOf(a.spec?.capacity) - sizeOf(b.spec?.capacity))[0];
}
