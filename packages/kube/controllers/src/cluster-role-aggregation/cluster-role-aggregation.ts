import type { LabelSelector, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual, rbacv1 as rbac } from '@hypershift-ts/kube-apimachinery';
import { controller } from '@hypershift-ts/kube-controller';
import { canonicalJson } from '../workload/pod-template.ts';
import { selectorFor } from '../workload/selectors.ts';

type ClusterRole = rbacv1.ClusterRole;

const selects = (role: ClusterRole, other: ClusterRole): boolean =>
  role.metadata.name !== other.metadata.name &&
  (role.aggregationRule?.clusterRoleSelectors ?? []).some((selector) =>
    selectorFor(selector as LabelSelector).matches(other.metadata.labels),
  );

/** The rules of an aggregated role: selector by selector, role by name, each rule once. */
function aggregatedRules(role: ClusterRole, all: readonly ClusterRole[]): readonly rbacv1.PolicyRule[] {
  const sorted = [...all].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const rules = new Map<string, rbacv1.PolicyRule>();
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const compiled = selectorFor(selector as LabelSelector);
    for (const other of sorted) {
      if (other.metadata.name === role.metadata.name || !compiled.matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) {
        const key = canonicalJson(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

/** Gathers the rules of aggregated ClusterRoles. */
export const clusterRoleAggregationController = controller<ClusterRole, [ClusterRole]>({
  name: 'clusterrole-aggregation-controller',
  for: rbac.clusterroles,
  watches: [
    {
      type: rbac.clusterroles,
      map: (changed, { cache }) =>
        cache
          .informer(rbac.clusterroles)
          .list()
          .filter((role) => role.aggregationRule && selects(role, changed))
          .map(({ metadata }) => ({ name: metadata.name ?? '' })),
    },
  ],
  async reconcile(key, { cache, client }) {
    const role = cache.get(rbac.clusterroles, key);
    if (!role?.aggregationRule || role.metadata.deletionTimestamp) return;
    const rules = aggregatedRules(role, cache.list(rbac.clusterroles));
    if (!jsonEqual(rules, role.rules ?? [])) await client.update(rbac.clusterroles, { ...role, rules });
  },
});
