import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { Platform } from '@hypershift-ts/hypershift-platforms';
import type { corev1, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const agentGroup = 'capi-provider.agent-install.openshift.io';
const clusterApiGroups = [
  'bootstrap.cluster.x-k8s.io',
  'controlplane.cluster.x-k8s.io',
  'infrastructure.cluster.x-k8s.io',
  'machines.cluster.x-k8s.io',
  'exp.infrastructure.cluster.x-k8s.io',
  'addons.cluster.x-k8s.io',
  'exp.cluster.x-k8s.io',
  'cluster.x-k8s.io',
];
const all = (apiGroups: readonly string[], ...resources: string[]): rbacv1.PolicyRule => ({
  apiGroups,
  resources,
  verbs: ['*'],
});

const managerRules: readonly rbacv1.PolicyRule[] = [
  all(clusterApiGroups, '*'),
  {
    apiGroups: ['hypershift.openshift.io'],
    resources: ['hostedcontrolplanes', 'hostedcontrolplanes/status'],
    verbs: ['get', 'list', 'watch', 'delete', 'patch', 'update'],
  },
  { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'update', 'patch'] },
  all(['coordination.k8s.io'], 'leases'),
  all([agentGroup], '*'),
];

const providerRules = (platform: Platform): readonly rbacv1.PolicyRule[] => [
  all([''], 'events', 'secrets', 'configmaps'),
  all(clusterApiGroups, '*'),
  all(['hypershift.openshift.io'], '*'),
  all(['coordination.k8s.io'], 'leases'),
  ...platform.policyRules,
];

/** Service account, Role and binding of one name. */
function namespaced(
  cluster: HostedCluster,
  name: string,
  rules: readonly rbacv1.PolicyRule[],
  serviceAccount = name,
): readonly [corev1.ServiceAccount, rbacv1.Role, rbacv1.RoleBinding] {
  const namespace = controlPlaneNamespaceOf(cluster);
  const metadata = { name, namespace, annotations: belongsTo(cluster) };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, name: serviceAccount } },
    { apiVersion: rbac, kind: 'Role', metadata, rules },
    {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace }],
    },
  ];
}

/** Access of the manager of Cluster API in the control plane namespace. */
export const managerAccess = (cluster: HostedCluster) => namespaced(cluster, 'cluster-api', managerRules);

/** Access of the infrastructure provider; `serviceAccount` where the platform runs it under a name of its own. */
export const providerAccess = (cluster: HostedCluster, platform: Platform, serviceAccount = 'capi-provider') =>
  namespaced(cluster, 'capi-provider', providerRules(platform), serviceAccount);

/** Reading CRDs is all that both need outside their namespace. One role for all clusters, one binding for each. */
export function crdReaderAccess(
  cluster: HostedCluster,
  providerServiceAccount = 'capi-provider',
): readonly [rbacv1.ClusterRole, rbacv1.ClusterRoleBinding] {
  const namespace = controlPlaneNamespaceOf(cluster);
  const name = 'hypershift-cluster-api';
  return [
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [
        {
          apiGroups: ['apiextensions.k8s.io'],
          resources: ['customresourcedefinitions'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: `${name}-${namespace}`, annotations: belongsTo(cluster) },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: ['cluster-api', providerServiceAccount].map((account) => ({
        kind: 'ServiceAccount',
        name: account,
        namespace,
      })),
    },
  ];
}

/** Labels that say whose cluster-wide access it is, so that deletion finds it. */
export function ownerLabels({ metadata }: Pick<HostedCluster, 'metadata'>): { readonly [key: string]: string } {
  return {
    'hypershift.openshift.io/owner.namespace': metadata.namespace ?? '',
    'hypershift.openshift.io/owner.name': metadata.name ?? '',
  };
}

const csr = (resource: string, ...verbs: string[]): rbacv1.PolicyRule => ({
  apiGroups: ['certificates.k8s.io'],
  resources: [resource],
  verbs,
});

/** Cluster-wide access of the PKI operator: to approve and to sign requests to the two signers of this cluster. */
export function pkiOperatorAccess(cluster: HostedCluster): readonly (rbacv1.ClusterRole | rbacv1.ClusterRoleBinding)[] {
  const namespace = controlPlaneNamespaceOf(cluster);
  const signers = ['customer-break-glass', 'sre-break-glass'].map(
    (name) => `hypershift.openshift.io/${namespace}.${name}`,
  );
  const pair = (suffix: string, action: string, write: rbacv1.PolicyRule) => {
    const metadata = { name: `${namespace}-${suffix}`, labels: ownerLabels(cluster), annotations: belongsTo(cluster) };
    return [
      {
        apiVersion: rbac,
        kind: 'ClusterRole',
        metadata,
        rules: [
          csr('certificatesigningrequests', 'get', 'list', 'watch'),
          write,
          { ...csr('signers', action), resourceNames: signers },
        ],
      },
      {
        apiVersion: rbac,
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name },
        subjects: [{ kind: 'ServiceAccount', name: 'control-plane-pki-operator', namespace }],
      },
    ];
  };
  return [
    ...pair('csr-approver', 'approve', csr('certificatesigningrequests/approval', 'update')),
    ...pair('csr-signer', 'sign', csr('certificatesigningrequests/status', 'patch')),
  ];
}
