import { isQualifiedName, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Advice about finalizers that this write adds. */
export function finalizerWarnings(object: UnstructuredObject, old?: UnstructuredObject): string[] {
  const finalizers = object.metadata.finalizers;
  if (!finalizers || finalizers.length === 0) return [];
  const before = new Set(old?.metadata.finalizers);
  const added = [...new Set(finalizers)].filter((name) => !before.has(name)).sort();
  return added.flatMap((name) => {
    const about = `metadata.finalizers: ${JSON.stringify(name)}:`;
    const warnings = isQualifiedName(name).map((wrong) => `${about} ${wrong}`);
    if (name.includes('/') || standard.has(name)) return warnings;
    const detail = name.includes('.')
      ? 'prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers'
      : 'prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers';
    return [...warnings, `${about} ${detail}`];
  });
}
