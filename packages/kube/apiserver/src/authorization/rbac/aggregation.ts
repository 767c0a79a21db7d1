import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { ClusterRole, LabelSelector, PolicyRule } from './types.ts';

function matches(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (!Object.hasOwn(labels, key) || labels[key] !== value) return false;
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    const ok =
      operator === 'In'
        ? value !== undefined && values.includes(value)
        : operator === 'NotIn'
          ? value === undefined || !values.includes(value)
          : operator === 'Exists'
            ? value !== undefined
            : operator === 'DoesNotExist' && value === undefined;
    if (!ok) return false;
  }
  return true;
}

/**
 * The rules an aggregated ClusterRole should have, or undefined when it is not aggregated or has them already.
 * Sources are taken selector by selector and by name, each rule once, so the result does not depend on list order.
 */
export function aggregatedRules(role: ClusterRole, all: Iterable<ClusterRole>): readonly PolicyRule[] | undefined {
  const selectors = role.aggregationRule?.clusterRoleSelectors;
  if (!selectors?.length) return undefined;
  const sorted = [...all]
    .filter((other) => other.metadata.name !== role.metadata.name)
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const rules = new Map<string, PolicyRule>();
  for (const selector of selectors) {
    for (const other of sorted) {
      if (!matches(selector, other.metadata.labels ?? {})) continue;
      for (const rule of other.rules ?? []) {
        const key = JSON.stringify([
          rule.verbs,
          rule.apiGroups,
          rule.resources,
          rule.resourceNames,
          rule.nonResourceURLs,
        ]);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  const wanted = [...rules.values()];
  return jsonEqual(wanted, role.rules ?? []) ? undefined : wanted;
}
