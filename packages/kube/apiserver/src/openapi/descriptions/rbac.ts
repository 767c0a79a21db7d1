import type { Words } from '../descriptions.ts';

export const rbacDescriptions: { readonly [definition: string]: Words } = {
  'io.k8s.api.rbac.v1.Role': { '': 'Permissions within one namespace.', rules: 'What is allowed.' },
  'io.k8s.api.rbac.v1.ClusterRole': {
    '': 'Permissions for the whole cluster, or for use in any namespace.',
    aggregationRule: 'Takes the rules from other cluster roles chosen by label; a controller then fills in rules.',
    rules: 'What is allowed.',
  },
  'io.k8s.api.rbac.v1.RoleBinding': {
    '': 'Gives the permissions of a role to subjects, within one namespace.',
    roleRef: 'The Role or ClusterRole. Cannot change.',
    subjects: 'Who gets them.',
  },
  'io.k8s.api.rbac.v1.ClusterRoleBinding': {
    '': 'Gives the permissions of a cluster role to subjects, everywhere.',
    roleRef: 'The ClusterRole. Cannot change.',
    subjects: 'Who gets them.',
  },
  'io.k8s.api.rbac.v1.PolicyRule': {
    '': 'Something that is allowed.',
    apiGroups: 'API groups of the resources; "" is the core group, * all.',
    nonResourceURLs: 'Paths outside the resources, such as /healthz; only in cluster roles.',
    resourceNames: 'Only objects with these names; all when empty.',
    resources: 'Resources and subresources; * is all.',
    verbs: 'What may be done: get, list, watch, create, ...; * is all.',
  },
  'io.k8s.api.rbac.v1.RoleRef': {
    apiGroup: 'rbac.authorization.k8s.io.',
    kind: 'Role or ClusterRole.',
    name: 'Name of the role.',
  },
  'io.k8s.api.rbac.v1.Subject': {
    '': 'A user, a group or a service account.',
    apiGroup: 'Empty for service accounts, rbac.authorization.k8s.io otherwise.',
    kind: 'User, Group or ServiceAccount.',
    name: 'Its name.',
    namespace: 'Namespace of a service account.',
  },
};
