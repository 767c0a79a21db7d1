import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { matchesNodeSelector } from '../../placement/node-affinity.ts';
import type { Filter, Surroundings } from './filter.ts';

type Pod = corev1.Pod;

/** Either the claims stop the pod everywhere, with the reason, or each node is judged by where the volumes are. */
export type VolumeVerdict = { readonly blocked: string } | { readonly filter: Filter | undefined };

const claimNameOf = (pod: Pod, volume: corev1.Volume): string | undefined =>
  volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined);

/** Claims of the pod that nobody has bound yet. */
export function unboundClaims(pod: Pod, around: Surroundings): readonly corev1.PersistentVolumeClaim[] {
  return (pod.spec.volumes ?? [])
    .map((volume) => claimNameOf(pod, volume))
    .map((name) => (name ? around.claim(pod.metadata.namespace ?? '', name) : undefined))
    .filter((claim) => claim !== undefined && !claim.spec?.volumeName) as corev1.PersistentVolumeClaim[];
}

export function judgeVolumes(pod: Pod, around: Surroundings): VolumeVerdict {
  const namespace = pod.metadata.namespace ?? '';
  const bound: corev1.PersistentVolume[] = [];
  for (const entry of pod.spec.volumes ?? []) {
    const claimName = claimNameOf(pod, entry);
    if (!claimName) continue;
    const claim = around.claim(namespace, claimName);
    if (!claim) return { blocked: `persistentvolumeclaim "${claimName}" not found` };
    if (claim.metadata.deletionTimestamp) return { blocked: `persistentvolumeclaim "${claimName}" is being deleted` };
    const volume = claim.spec?.volumeName ? around.volume(claim.spec.volumeName) : undefined;
    if (volume) bound.push(volume);
    else if (!waitsForConsumer(claim, around)) return { blocked: 'pod has unbound immediate PersistentVolumeClaims' };
  }
  if (bound.length === 0) return { filter: undefined };
  const refusal = {
    reasons: ["node(s) didn't match PersistentVolume's node affinity"],
    cause: 'volumes',
    preemptible: false,
  } as const;
  return {
    filter: ({ node }) =>
      bound.every(({ spec }) => matchesNodeSelector(spec?.nodeAffinity?.required, node)) ? undefined : refusal,
  };
}

function waitsForConsumer(claim: corev1.PersistentVolumeClaim, around: Surroundings): boolean {
  const name = claim.spec?.storageClassName;
  return Boolean(name) && around.storageClass(name ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
}
