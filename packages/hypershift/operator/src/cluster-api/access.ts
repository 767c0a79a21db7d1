import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const crdReader = 'hypershift-cluster-api';

/**
 * Reading CRDs is all that Cluster API and its providers need outside their namespace. One role for all clusters: it
 * belongs to the installation, which applies it too, and so it is there before the first cluster and after the last.
 */
export function crdReaderRole(): rbacv1.ClusterRole {
  return {
    apiVersion: rbac,
    kind: 'ClusterRole',
    metadata: { name: crdReader },
    rules: [
      {
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        verbs: ['get', 'list', 'watch'],
      },
    ],
  };
}

/** What gives the accounts of one cluster that role. */
export function crdReaderBinding(
  cluster: HostedCluster,
  providerServiceAccount = 'capi-provider',
): rbacv1.ClusterRoleBinding {
  const namespace = controlPlaneNamespaceOf(cluster);
  return {
    apiVersion: rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name: `${crdReader}-${namespace}`, annotations: belongsTo(cluster) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: crdReader },
    subjects: ['cluster-api', providerServiceAccount].map((account) => ({
      kind: 'ServiceAccount',
      name: account,
      namespace,
    })),
  };
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
