import type { PolicyRule, Subject } from '../rbac/types.ts';
import type { BindingSpec } from './bindings.ts';
import { controllerRoles } from './controller-roles.ts';
import type { RoleSpec } from './notation.ts';

const name = 'hypershift-ts:controllers';

/**
 * Our controllers send patches where upstream's send whole objects, so whoever may update something by a default
 * controller role may patch it as well. One role beside the upstream ones, which stay as they are.
 */
export const patchingControllers: {
  readonly role: RoleSpec;
  readonly binding: (clusterBindings: readonly BindingSpec[]) => BindingSpec;
} = {
  role: { name, rules: patchRules(controllerRoles) },
  binding: (clusterBindings) => ({ name, subjects: controllersOf(clusterBindings) }),
};

function patchRules(roles: readonly RoleSpec[]): PolicyRule[] {
  const byGroup = new Map<string, Set<string>>();
  for (const { verbs, apiGroups = [], resources = [] } of roles.flatMap(({ rules }) => rules)) {
    // A rule about everything (the garbage collector's) already has patch.
    if (!verbs.includes('update') || verbs.includes('patch') || resources.includes('*')) continue;
    for (const group of apiGroups) {
      const known = byGroup.get(group) ?? new Set();
      resources.forEach((resource) => known.add(resource));
      byGroup.set(group, known);
    }
  }
  return [...byGroup].map(([group, resources]) => ({
    verbs: ['patch'],
    apiGroups: [group],
    resources: [...resources].sort(),
  }));
}

function controllersOf(bindings: readonly BindingSpec[]): Subject[] {
  return bindings
    .filter((binding) => binding.name.startsWith('system:controller:'))
    .flatMap(({ subjects }) => subjects);
}
