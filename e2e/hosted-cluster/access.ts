import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';

/** A verb on a resource or one of its subresources. */
export interface Right {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
}

export const textOf = ({ group, resource, verb }: Right): string => `${group || 'core'}/${resource} ${verb}`;

/** Every right that a list of rules gives, one by one. */
export function rightsIn(rules: readonly rbacv1.PolicyRule[]): readonly Right[] {
  return rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => ({ group, resource, verb })))),
  );
}

/** The rights of a service account that nobody shares with it: those of its Roles and ClusterRoles. */
export function rightsOf(
  account: { readonly namespace: string; readonly name: string },
  roles: readonly (rbacv1.Role | rbacv1.ClusterRole)[],
  bindings: readonly (rbacv1.RoleBinding | rbacv1.ClusterRoleBinding)[],
): readonly Right[] {
  const isAccount = ({ kind, name, namespace }: rbacv1.Subject) =>
    kind === 'ServiceAccount' && name === account.name && namespace === account.namespace;
  const bound = bindings.filter(({ subjects = [] }) => subjects.some(isAccount));
  return bound.flatMap(({ roleRef, metadata }) => {
    const namespace = roleRef.kind === 'Role' ? metadata.namespace : undefined;
    const role = roles.find((one) => one.metadata.name === roleRef.name && one.metadata.namespace === namespace);
    return rightsIn(role?.rules ?? []);
  });
}

/** What a user asked for, each right once. */
export function rightsUsed(events: readonly AuditEvent[], username: string): readonly Right[] {
  const used = new Map<string, Right>();
  for (const { user, verb, objectRef } of events) {
    if (user.username !== username || !objectRef) continue;
    const { apiGroup: group = '', subresource } = objectRef;
    const resource = subresource ? `${objectRef.resource}/${subresource}` : objectRef.resource;
    used.set(`${group}/${resource} ${verb}`, { group, resource, verb });
  }
  return [...used.values()];
}

const reading = new Set(['get', 'list', 'watch']);

/** Whether a right covers a use. Who looks at all may look in every way: clients choose between get, list and watch. */
export function covers(right: Right, use: Right): boolean {
  const verbs = right.verb === use.verb || (reading.has(right.verb) && reading.has(use.verb));
  return verbs && right.group === use.group && (right.resource === '*' || right.resource === use.resource);
}

/** Whether somebody who has a right may give another one away. */
export function includes(right: Right, given: Right): boolean {
  const resource = right.resource === '*' || right.resource === given.resource;
  return right.group === given.group && right.verb === given.verb && resource;
}

/** Requests that were refused for lack of rights, one line each. */
export function refusals(events: readonly AuditEvent[]): readonly string[] {
  return events
    .filter(({ responseStatus }) => responseStatus.code === 403)
    .map(({ user, verb, requestURI }) => `${user.username} ${verb} ${requestURI}`);
}
