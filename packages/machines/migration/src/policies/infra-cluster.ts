import { type AdmissionPolicy, definePolicy, sides } from './policy.ts';

/** Keeps the InfraCluster that describes this very cluster from being deleted: all machines depend on it. */
export function infraClusterProtection(infraCluster: {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
}): AdmissionPolicy {
  return definePolicy({
    name: `openshift-cluster-api-protect-${infraCluster.kind.toLowerCase()}`,
    operations: ['DELETE'],
    resources: { group: infraCluster.group, names: [infraCluster.resource] },
    namespace: sides.clusterApi.namespace,
    params: {
      paramKind: { apiVersion: 'config.openshift.io/v1', kind: 'Infrastructure' },
      paramRef: { name: 'cluster', parameterNotFoundAction: 'Deny' },
    },
    validations: [
      {
        expression: 'oldObject.metadata.name != params.status.infrastructureName',
        message:
          'InfraCluster resources with metadata.name corresponding to the cluster infrastructureName cannot be deleted.',
      },
    ],
  });
}
