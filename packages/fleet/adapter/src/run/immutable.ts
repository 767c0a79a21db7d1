import type { JsonObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { fieldValue } from './field-path.ts';

/** The paths whose values differ between what is wanted and what is there; only what both have can have changed. */
export function changedImmutableFields(
  paths: readonly string[],
  desired: UnstructuredObject,
  existing: UnstructuredObject,
): readonly string[] {
  const [wanted, present] = [contentOf(desired), contentOf(existing)];
  return paths.filter((path) => {
    const [next, previous] = [fieldValue(wanted, path), fieldValue(present, path)];
    return next !== undefined && previous !== undefined && !jsonEqual(next, previous);
  });
}

/** In a ManifestWork the rules are about the object it carries. */
function contentOf(object: UnstructuredObject): JsonObject {
  const plain = object as unknown as JsonObject;
  if (object.kind !== 'ManifestWork') return plain;
  const manifests = fieldValue(plain, 'spec.workload.manifests');
  const first: unknown = Array.isArray(manifests) ? (manifests as readonly unknown[])[0] : undefined;
  return isJsonObject(first) ? first : plain;
}
