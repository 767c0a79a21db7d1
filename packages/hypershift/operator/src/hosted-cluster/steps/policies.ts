import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { labelsOwnRoutes } from '@hypershift-ts/hypershift-control-plane';
import { networkingv1 } from '@hypershift-ts/kube-apimachinery';
import { done, getIfPresent, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { pkiOperatorAccess } from '../../cluster-api/index.ts';
import {
  desiredNetworkPolicies,
  type ManagementNetwork,
  managementNetwork,
  managementNetworkTypes,
  needsManagementNetwork,
} from '../../network-policies/index.ts';
import { ensure, ensureAll, remove } from '../live.ts';
import type { HostedClusterScope } from '../scope.ts';
import type { ClusterStep } from './step.ts';

/** The network of the management cluster, where some policy keeps pods away from it. */
async function networkOf(
  { cluster, options }: HostedClusterScope,
  { client, signal }: ReconcileContext,
): Promise<ManagementNetwork | undefined> {
  if (!needsManagementNetwork(cluster)) return undefined;
  const { endpoints, networks } = managementNetworkTypes;
  const apiServers = await getIfPresent(client, endpoints, { namespace: 'default', name: 'kubernetes' }, { signal });
  const network = options.capabilities.serves(networks)
    ? await getIfPresent(client, networks, { name: 'cluster' }, { signal })
    : undefined;
  return managementNetwork({ apiServers, network, blocked: options.egressBlockCidrs });
}

/** Cluster-wide access of the PKI operator, and who may talk to whom. */
export const policiesStep: ClusterStep = {
  name: 'RBACAndPolicies',
  kind: 'best-effort',
  async run(scope, context) {
    const { cluster, namespace, controlPlaneOperator } = scope;
    await ensureAll(context, pkiOperatorAccess(cluster));
    const capabilities = controlPlaneOperator instanceof Error ? undefined : controlPlaneOperator?.capabilities;
    const network = await networkOf(scope, context);
    const facts = {
      // Publishing is decided by the same fields in both objects.
      ownRouter: labelsOwnRoutes({ hcp: cluster as unknown as HostedControlPlane }),
      labelsManagementKasAccess: capabilities?.appliesManagementKasNetworkPolicyLabel ?? false,
      ...(network ? { network } : {}),
    };
    for (const [name, policy] of desiredNetworkPolicies(cluster, facts))
      if (policy) await ensure(context, policy);
      else await remove(context, networkingv1.networkpolicies, { namespace, name });
    return done();
  },
};
