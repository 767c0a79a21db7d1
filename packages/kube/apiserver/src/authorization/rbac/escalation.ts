import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '../../request/context.ts';
import type { Authorizer } from '../attributes.ts';
import { resourceAttributes } from '../attributes.ts';
import { compactRules, formatRule, quotedList, uncovered } from './covers.ts';
import type { RbacIndex } from './rbac-index.ts';
import type { Binding, ClusterRole, PolicyRule } from './types.ts';
import { rbacGroup } from './types.ts';

/** What the escalation checks look at. */
export interface EscalationScope {
  readonly user: UserInfo;
  readonly index: RbacIndex;
  /** The server's whole authorizer: decides about the verbs `escalate` and `bind`. */
  readonly authorizer: Authorizer;
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const isSuperuser = (user: UserInfo) => user.groups.includes('system:masters');
const hasAggregation = (role: ClusterRole | undefined) =>
  (role?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;

/** Why the user may not hand out these rules, or undefined when it holds them all. */
function missingPermissions(
  scope: Pick<EscalationScope, 'user' | 'index'>,
  rules: readonly PolicyRule[],
  namespace: string,
): string | undefined {
  const { user, index } = scope;
  const held = index.rulesFor(user, namespace);
  const missing = uncovered(held.rules, rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(formatRule))].sort();
  const who = `user ${JSON.stringify(user.name)} (groups=${quotedList(user.groups)})`;
  const errors = held.errors === '' ? '' : `; resolution errors: [${held.errors}]`;
  return `${who} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${errors}`;
}

/**
 * Throws 403 when the user writes a Role or ClusterRole holding more than the user does.
 * The caller skips it when only finalizers, owner references or other garbage collection fields change.
 */
export async function checkRoleWrite(scope: EscalationScope, role: ClusterRole, old?: ClusterRole): Promise<void> {
  const { user, index } = scope;
  if (isSuperuser(user)) return;
  const resource = role.kind === 'Role' ? 'roles' : 'clusterroles';
  const { name = '', namespace = '' } = role.metadata;
  const escalate = resourceAttributes(user, 'escalate', { group: rbacGroup, resource, name, namespace });
  if ((await scope.authorizer.authorize(escalate)).decision === 'allow') return;
  const reason = missingPermissions(scope, role.rules ?? [], namespace);
  if (reason) throw statusErrors.forbidden({ group: rbacGroup, resource }, name, reason);
  if (!hasAggregation(role) && !hasAggregation(old)) return;
  // An aggregated role gathers whatever carries its labels, now and later.
  if (missingPermissions({ user, index }, everything, '')) {
    const why = 'must have cluster-admin privileges to use the aggregationRule';
    throw statusErrors.forbidden({ group: rbacGroup, resource }, name, why);
  }
}

/** Throws 403 when the user binds a role it neither holds nor may `bind`. `namespace` is the request's. */
export async function checkBindingWrite(scope: EscalationScope, binding: Binding, namespace: string): Promise<void> {
  const { user, index } = scope;
  if (isSuperuser(user)) return;
  const { roleRef } = binding;
  const roleResource = roleRef?.kind === 'ClusterRole' ? 'clusterroles' : roleRef?.kind === 'Role' ? 'roles' : '';
  // A reference to no kind of role grants nothing; validation refuses it.
  if (roleResource === '') return;
  const target = { group: roleRef.apiGroup, resource: roleResource, name: roleRef.name, namespace };
  const bind = await scope.authorizer.authorize(resourceAttributes(user, 'bind', target));
  if (bind.decision === 'allow') return;
  const rules = index.rulesOf(roleRef, namespace);
  if (!rules) throw statusErrors.notFound({ group: rbacGroup, resource: roleRef.kind.toLowerCase() }, roleRef.name);
  const reason = missingPermissions(scope, rules, namespace);
  const resource = binding.kind === 'RoleBinding' ? 'rolebindings' : 'clusterrolebindings';
  if (reason) throw statusErrors.forbidden({ group: rbacGroup, resource }, binding.metadata.name ?? '', reason);
}
