import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';

/** What must be allowed before the operators of the control plane can do anything in the hosted cluster. */
export const bootstrapBindings: readonly rbacv1.ClusterRoleBinding[] = [
  binding('hcco-cluster-admin', 'system:hosted-cluster-config'),
  binding('kas-bootstrap-container-cluster-admin', 'system:kas-bootstrap-container'),
];

function binding(name: string, user: string): rbacv1.ClusterRoleBinding {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  };
}
