/** What lets a management cluster's monitoring look at a control plane. */
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

const name = 'openshift-prometheus';
const rbac = 'rbac.authorization.k8s.io/v1';

/** Access of the management cluster's Prometheus to what it scrapes. */
export function prometheusAccess(cluster: HostedCluster): readonly [rbacv1.Role, rbacv1.RoleBinding] {
  const metadata = { name, namespace: controlPlaneNamespaceOf(cluster), annotations: belongsTo(cluster) };
  const verbs = ['get', 'list', 'watch'];
  return [
    {
      apiVersion: rbac,
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['services', 'endpoints', 'pods'], verbs },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs },
      ],
    },
    {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus-k8s', namespace: 'openshift-monitoring' }],
    },
  ];
}

/** ConfigMaps of the management cluster that control planes get a copy of, where there are any. */
export const sharedConfigMaps = (operatorNamespace: string) =>
  [
    { from: { namespace: operatorNamespace, name: 'sre-metric-set' }, to: 'sre-metric-set' },
    {
      from: { namespace: 'openshift-config-managed', name: 'trusted-ca-bundle' },
      to: 'openshift-config-managed-trusted-ca-bundle',
    },
  ] as const;

/** Such a copy. */
export function sharedCopyOf(cluster: HostedCluster, to: string, { data }: corev1.ConfigMap): corev1.ConfigMap {
  const namespace = controlPlaneNamespaceOf(cluster);
  const metadata = { name: to, namespace, annotations: belongsTo(cluster) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...(data ? { data } : {}) };
}
