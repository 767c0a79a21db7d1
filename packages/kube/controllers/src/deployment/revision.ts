import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { maxReplicas, replicasOf } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;
type Annotations = { readonly [key: string]: string };

export const annotationNames = {
  revision: 'deployment.kubernetes.io/revision',
  revisionHistory: 'deployment.kubernetes.io/revision-history',
  desiredReplicas: 'deployment.kubernetes.io/desired-replicas',
  maxReplicas: 'deployment.kubernetes.io/max-replicas',
} as const;

const notCopied = new Set<string>([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  ...Object.values(annotationNames),
]);

/** The history is cut from its old end before an annotation could grow too large. */
const maxHistoryLength = 2000;

export function revisionOf(object: Deployment | ReplicaSet): number {
  const revision = Number(object.metadata.annotations?.[annotationNames.revision]);
  return Number.isSafeInteger(revision) ? revision : 0;
}

export function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

/** The annotations of the new ReplicaSet: the deployment's own, its revision, and the size it was made for. */
export function newSetAnnotations(deployment: Deployment, set: ReplicaSet | undefined, revision: number): Annotations {
  const annotations: Record<string, string> = { ...set?.metadata.annotations };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!notCopied.has(key)) annotations[key] = value;
  }
  const before = annotations[annotationNames.revision];
  if (set && before !== undefined && revisionOf(set) < revision) {
    annotations[annotationNames.revisionHistory] = appended(annotations[annotationNames.revisionHistory], before);
  }
  if (!set || revisionOf(set) < revision) annotations[annotationNames.revision] = String(revision);
  return { ...annotations, ...sizeAnnotations(deployment) };
}

export function sizeAnnotations(deployment: Deployment): Annotations {
  return {
    [annotationNames.desiredReplicas]: String(replicasOf(deployment)),
    [annotationNames.maxReplicas]: String(maxReplicas(deployment)),
  };
}

function appended(history: string | undefined, revision: string): string {
  if (!history) return revision;
  let text = `${history},${revision}`;
  while (text.length > maxHistoryLength && text.includes(',')) text = text.slice(text.indexOf(',') + 1);
  return text;
}
