import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

/** Whether `a` is a later version than `b` of one object. Versions are whole numbers of any length. */
export function isNewer(a: KubeObject, b: KubeObject): boolean {
  const left = a.metadata.resourceVersion ?? '';
  const right = b.metadata.resourceVersion ?? '';
  if (left.length !== right.length) return left.length > right.length;
  return left > right;
}
