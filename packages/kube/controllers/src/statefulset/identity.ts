import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { controllerReference, ownerReference } from '@hypershift-ts/kube-controller';
import { corev1 as core } from '@hypershift-ts/kube-apimachinery';
import { podRevisionLabel } from '../history/revisions.ts';

type StatefulSet = appsv1.StatefulSet;
type Pod = corev1.Pod;
type Claim = corev1.PersistentVolumeClaim;

export const firstOrdinal = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;
export const replicasOf = ({ spec }: StatefulSet): number => spec.replicas ?? 1;
export const isOrdered = ({ spec }: StatefulSet): boolean => spec.podManagementPolicy !== 'Parallel';

/** The number at the end of a pod's name, or undefined when it is not a pod of this set. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const name = pod.metadata.name ?? '';
  const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d*)$/.test(number) ? Number(number) : undefined;
}

export function claimName(set: StatefulSet, template: Claim, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** The pod with this number, made from the template of the given revision. */
export function podFor(
  set: StatefulSet,
  template: corev1.PodTemplateSpec,
  revision: string,
  ordinal: number,
): NewObject<Pod> {
  const name = `${set.metadata.name}-${ordinal}`;
  const claims = set.spec.volumeClaimTemplates ?? [];
  const templateNames = new Set(claims.map(({ metadata }) => metadata.name));
  const volumes = [
    ...(template.spec.volumes ?? []).filter((volume) => !templateNames.has(volume.name)),
    ...claims.map((claim) => ({
      name: claim.metadata.name ?? '',
      persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
    })),
  ];
  const { annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      name,
      namespace: set.metadata.namespace ?? '',
      labels: {
        ...template.metadata?.labels,
        'statefulset.kubernetes.io/pod-name': name,
        'apps.kubernetes.io/pod-index': String(ordinal),
        [podRevisionLabel]: revision,
      },
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(apps.statefulsets, set)],
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
      ...(volumes.length > 0 ? { volumes } : {}),
    },
  };
}

/** Who owns a claim by the retention policy: the set, the pod that is being scaled away, or nobody. */
export function claimOwners(set: StatefulSet, live: Claim | undefined, condemned: Pod | undefined) {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const others = (live?.metadata.ownerReferences ?? []).filter(
    (owner) => owner.uid !== set.metadata.uid && !(owner.kind === 'Pod' && owner.apiVersion === 'v1'),
  );
  if (condemned && whenScaled === 'Delete') return [...others, ownerReference(core.pods, condemned)];
  if (whenDeleted === 'Delete') return [...others, controllerReference(apps.statefulsets, set)];
  return others;
}

export function claimFor(set: StatefulSet, template: Claim, ordinal: number): NewObject<Claim> {
  const owners = claimOwners(set, undefined, undefined);
  return {
    metadata: {
      name: claimName(set, template, ordinal),
      namespace: set.metadata.namespace ?? '',
      labels: { ...template.metadata.labels, ...set.spec.selector.matchLabels },
      ...(template.metadata.annotations ? { annotations: template.metadata.annotations } : {}),
      ...(owners.length > 0 ? { ownerReferences: owners } : {}),
    },
    ...(template.spec ? { spec: template.spec } : {}),
  };
}
