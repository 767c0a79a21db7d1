import { crdReaderRole } from '@hypershift-ts/hypershift-operator';
import type { KubeObject, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import type { InstallOptions } from './options.ts';
import { operatorRules } from './operator-rules.ts';

const rbac = 'rbac.authorization.k8s.io';
const apiVersion = `${rbac}/v1`;
export const operatorName = 'operator';
const operatorRole = 'hypershift-operator';

const clusterRole = (name: string, rules: readonly rbacv1.PolicyRule[]): rbacv1.ClusterRole => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name },
  rules: [...rules],
});

const subject = (namespace: string): rbacv1.Subject => ({ kind: 'ServiceAccount', name: operatorName, namespace });

/** The operator's account, what it may do, and the role that it binds to accounts of every cluster. */
export function operatorAccess({ namespace }: InstallOptions): readonly KubeObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: operatorName, namespace } },
    clusterRole(operatorRole, operatorRules),
    crdReaderRole(),
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: operatorRole },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: operatorRole },
      subjects: [subject(namespace)],
    } as KubeObject,
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: `${operatorRole}-extension-apiserver-authentication-reader`, namespace: 'kube-system' },
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      subjects: [subject(namespace)],
    } as KubeObject,
  ];
}

/** Roles for people, bound to groups of the same name. */
export function userAccess(): readonly KubeObject[] {
  const resources = ['hostedclusters', 'nodepools'];
  const roles = [
    ['hypershift-client', 'hypershift-clients', ['*'], ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']],
    ['hypershift-readers', 'hypershift-readers', resources, ['get', 'list', 'watch']],
  ] as const;
  return roles.flatMap(([name, group, kinds, verbs]) => [
    clusterRole(name, [{ apiGroups: ['hypershift.openshift.io'], resources: [...kinds], verbs: [...verbs] }]),
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: group }],
    } as KubeObject,
  ]);
}
