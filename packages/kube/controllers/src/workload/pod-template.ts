import { createHash } from 'node:crypto';
import type { corev1, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, safeEncodeString } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { controllerReference } from '@hypershift-ts/kube-controller';

type Pod = corev1.Pod;
type PodTemplateSpec = corev1.PodTemplateSpec;

/** The pod that `owner` makes from its template; the API server completes the name. */
export function podFromTemplate<O extends KubeObject>(
  type: ResourceType<O>,
  owner: O,
  template: PodTemplateSpec,
): NewObject<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      generateName: podNamePrefix(owner.metadata.name ?? ''),
      namespace: owner.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ownerReferences: [controllerReference(type, owner)],
    },
    spec: template.spec,
  };
}

/** `name-` as far as it may begin a pod's name. */
function podNamePrefix(name: string): string {
  const prefix = `${name}-`;
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?-$/.test(prefix) && prefix.length <= 253 ? prefix : name;
}

/** JSON with sorted keys and without absent or null members, so that equal templates give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .filter((key) => value[key] !== undefined && value[key] !== null)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

/** A short, label-safe name for a template; `collisionCount` moves on when two templates meet in one name. */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  const digest = createHash('sha256').update(canonicalJson(template));
  if (collisionCount) digest.update(String(collisionCount));
  return safeEncodeString(String(digest.digest().readUInt32BE(0)));
}
