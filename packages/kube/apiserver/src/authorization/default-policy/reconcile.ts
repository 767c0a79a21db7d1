import type { KubeObject, ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { uncovered } from '../rbac/covers.ts';
import type { Binding, ClusterRole, LabelSelector, Subject } from '../rbac/types.ts';
import { autoUpdateAnnotation, defaultPolicy } from './objects.ts';

/** One write that brings the stored policy up to the defaults. */
export type PolicyChange =
  | { readonly action: 'create'; readonly object: KubeObject }
  /** The stored object with what was missing added; keeps its resourceVersion. */
  | { readonly action: 'update'; readonly object: KubeObject }
  /** roleRef cannot be changed, so the binding is deleted and created anew. */
  | { readonly action: 'recreate'; readonly object: KubeObject };

/**
 * What to write at start so that every default role and binding gives at least what it should. Permissions an
 * administrator added stay; objects marked `rbac.authorization.kubernetes.io/autoupdate: "false"` are left alone.
 */
export function policyChanges(
  existing: (kind: string, namespace: string, name: string) => KubeObject | undefined,
  policy: { readonly roles: readonly ClusterRole[]; readonly bindings: readonly Binding[] } = defaultPolicy(),
): PolicyChange[] {
  const changes: PolicyChange[] = [];
  for (const expected of [...policy.roles, ...policy.bindings]) {
    const found = existing(expected.kind, expected.metadata.namespace ?? '', expected.metadata.name ?? '');
    const change = found
      ? 'roleRef' in expected
        ? bindingChange(found as Binding, expected)
        : roleChange(found, expected)
      : { action: 'create' as const, object: expected };
    if (change) changes.push(change);
  }
  return changes;
}

const isProtected = (object: KubeObject) => object.metadata.annotations?.[autoUpdateAnnotation] === 'false';

function mergedMetadata(found: ObjectMeta, expected: ObjectMeta): ObjectMeta {
  return {
    ...found,
    labels: { ...expected.labels, ...found.labels },
    annotations: { ...expected.annotations, ...found.annotations },
  };
}

function roleChange(found: ClusterRole, expected: ClusterRole): PolicyChange | undefined {
  if (isProtected(found)) return undefined;
  const { aggregationRule: foundAggregation, ...rest } = found;
  const selectors = mergedSelectors(foundAggregation, expected.aggregationRule);
  const missing = uncovered(found.rules ?? [], expected.rules ?? []);
  const object: ClusterRole = {
    ...rest,
    metadata: mergedMetadata(found.metadata, expected.metadata),
    rules: missing.length > 0 ? [...(found.rules ?? []), ...missing] : (found.rules ?? []),
    ...(selectors ? { aggregationRule: { clusterRoleSelectors: selectors } } : {}),
  };
  return jsonEqual(object, { ...found, rules: found.rules ?? [] }) ? undefined : { action: 'update', object };
}

function mergedSelectors(
  found: ClusterRole['aggregationRule'],
  expected: ClusterRole['aggregationRule'],
): readonly LabelSelector[] | undefined {
  // A role that is not meant to be aggregated must not gather rules from strangers.
  if (!expected) return undefined;
  const have = found?.clusterRoleSelectors ?? [];
  const missing = (expected.clusterRoleSelectors ?? []).filter((one) => !have.some((other) => jsonEqual(one, other)));
  return [...have, ...missing];
}

const sameSubject = (a: Subject, b: Subject) =>
  a.kind === b.kind && a.name === b.name && (a.namespace ?? '') === (b.namespace ?? '');

function bindingChange(found: Binding, expected: Binding): PolicyChange | undefined {
  if (isProtected(found)) return undefined;
  const have = found.subjects ?? [];
  const missing = (expected.subjects ?? []).filter((one) => !have.some((other) => sameSubject(one, other)));
  const metadata = mergedMetadata(found.metadata, expected.metadata);
  const subjects = [...have, ...missing];
  if (!jsonEqual(found.roleRef, expected.roleRef)) {
    const { name, namespace, labels, annotations } = metadata;
    const fresh = { name, ...(namespace ? { namespace } : {}), labels, annotations } as ObjectMeta;
    return { action: 'recreate', object: { ...expected, metadata: fresh, subjects } as Binding };
  }
  const object = { ...found, metadata, ...(subjects.length > 0 ? { subjects } : {}) } as Binding;
  const before = { ...found, ...(have.length > 0 ? { subjects: have } : {}) };
  return missing.length === 0 && jsonEqual(object, before) ? undefined : { action: 'update', object };
}
