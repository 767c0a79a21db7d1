import type { Manifest } from './manifest-work.ts';

/** Kinds that others need to be there; what is not named comes last. */
const ranks: readonly (readonly string[])[] = [
  ['PriorityClass', 'Namespace', 'CustomResourceDefinition', 'StorageClass', 'PersistentVolume', 'PodSecurityPolicy'],
  ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ['NetworkPolicy', 'ResourceQuota', 'LimitRange', 'PodDisruptionBudget', 'ServiceAccount'],
  ['Secret', 'ConfigMap', 'PersistentVolumeClaim'],
  ['Service'],
  [
    'DaemonSet',
    'Pod',
    'ReplicationController',
    'ReplicaSet',
    'Deployment',
    'HorizontalPodAutoscaler',
    'StatefulSet',
    'Job',
    'CronJob',
  ],
  [
    'APIService',
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ],
];

const rankOf = new Map(ranks.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)));

/** The objects of a workload in the order they are applied in, each with its place in the spec. */
export function inApplyOrder(
  manifests: readonly Manifest[],
): readonly { readonly manifest: Manifest; readonly ordinal: number }[] {
  return manifests
    .map((manifest, ordinal) => ({ manifest, ordinal }))
    .sort((a, b) => rank(a.manifest) - rank(b.manifest) || a.ordinal - b.ordinal);
}

const rank = ({ kind }: Manifest): number => rankOf.get(kind ?? '') ?? ranks.length;
