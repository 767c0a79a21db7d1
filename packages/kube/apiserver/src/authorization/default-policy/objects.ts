import { deepFreeze } from '@hypershift-ts/kube-apimachinery';
import { aggregatedRules } from '../rbac/aggregation.ts';
import type { Binding, ClusterRole } from '../rbac/types.ts';
import { rbacApiVersion, rbacGroup } from '../rbac/types.ts';
import type { BindingSpec } from './bindings.ts';
import { clusterBindings, namespaceBindings } from './bindings.ts';
import { componentRoles } from './component-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import { namespaceRoles } from './namespace-roles.ts';
import type { RoleSpec } from './notation.ts';
import { userRoles } from './user-roles.ts';

export const autoUpdateAnnotation = 'rbac.authorization.kubernetes.io/autoupdate';

const aggregationLabel = (role: string) => `rbac.authorization.k8s.io/aggregate-to-${role}`;

function metadata(name: string, namespace: string | undefined, partOf: readonly string[] = []) {
  return {
    name,
    ...(namespace ? { namespace } : {}),
    labels: {
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      ...Object.fromEntries(partOf.map((role) => [aggregationLabel(role), 'true'])),
    },
    annotations: { [autoUpdateAnnotation]: 'true' },
  };
}

function roleObject(spec: RoleSpec): ClusterRole {
  return {
    apiVersion: rbacApiVersion,
    kind: spec.namespace ? 'Role' : 'ClusterRole',
    metadata: metadata(spec.name, spec.namespace, spec.partOf),
    ...(spec.gathers
      ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(spec.gathers)]: 'true' } }] } }
      : {}),
    rules: spec.rules,
  };
}

function bindingObject(spec: BindingSpec): Binding {
  return {
    apiVersion: rbacApiVersion,
    kind: spec.namespace ? 'RoleBinding' : 'ClusterRoleBinding',
    metadata: metadata(spec.name, spec.namespace),
    roleRef: {
      apiGroup: rbacGroup,
      kind: spec.namespace ? 'Role' : 'ClusterRole',
      name: spec.role ?? spec.name,
    },
    ...(spec.subjects.length > 0 ? { subjects: spec.subjects } : {}),
  };
}

/** Gathers rules into admin, edit and view, so that they work before any aggregation controller has run. */
function withAggregation(roles: readonly ClusterRole[]): readonly ClusterRole[] {
  let current = roles;
  for (;;) {
    let changed = false;
    current = current.map((role) => {
      const rules = aggregatedRules(role, current);
      if (!rules) return role;
      changed = true;
      return { ...role, rules };
    });
    if (!changed) return current;
  }
}

let made: { readonly roles: readonly ClusterRole[]; readonly bindings: readonly Binding[] } | undefined;

/** The roles and bindings every cluster starts with. Frozen, made once, shared by every API server in the process. */
export function defaultPolicy(): { readonly roles: readonly ClusterRole[]; readonly bindings: readonly Binding[] } {
  made ??= deepFreeze({
    roles: [
      ...withAggregation([...userRoles, ...componentRoles, ...controllerRoles].map(roleObject)),
      ...namespaceRoles.map(roleObject),
    ],
    bindings: [...clusterBindings, ...namespaceBindings].map(bindingObject),
  });
  return made;
}
