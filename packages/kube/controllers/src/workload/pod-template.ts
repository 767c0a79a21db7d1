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
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += `${items === '' ? '' : ','}${canonicalJson(item)}`;
    return `[${items}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined && member !== null)
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** A short, label-safe name for a template; `collisionCount` moves on when two templates meet in one name. */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  const digest = createHash('sha256').update(canonicalJson(template));
  if (collisionCount) digest.update(String(collisionCount));
  return safeEncodeString(String(digest.digest().readUInt32BE(0)));
}
