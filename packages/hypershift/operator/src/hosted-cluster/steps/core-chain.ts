import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { done, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { clusterApiClusters, desiredCluster, managesMachines } from '../../cluster-api/index.ts';
import { desiredHostedControlPlane } from '../../hosted-control-plane/index.ts';
import { ensure, upsert } from '../live.ts';
import type { HostedClusterScope } from '../scope.ts';
import type { ClusterStep } from './step.ts';

/** The control plane as the cluster wants it; what it reports stays its own. */
function ensureHostedControlPlane(
  { cluster, namespace, nodePools }: HostedClusterScope,
  context: ReconcileContext,
): Promise<HostedControlPlane> {
  const facts = {
    autoscaling: nodePools.some(({ spec }) => spec.autoScaling !== undefined),
    interruptible: nodePools.some(({ spec }) => spec.platform.aws?.placement?.marketType === 'Spot'),
  };
  const key = { namespace, name: cluster.metadata.name ?? '' };
  return upsert(context, hostedControlPlanes, key, (live) => {
    const desired = desiredHostedControlPlane(cluster, facts, live);
    return { ...desired, ...(live?.status ? { status: live.status } : {}) } as never;
  });
}

/** Control plane, infrastructure and the Cluster that ties them together, in this order. */
export const coreChainStep: ClusterStep = {
  name: 'CoreHCPChain',
  kind: 'critical',
  async run(scope, context) {
    const { cluster, namespace, nodePools, platform } = scope;
    const hcp = await ensureHostedControlPlane(scope, context);
    const endpoint = hcp.status?.controlPlaneEndpoint ?? { host: '', port: 0 };
    const infrastructure = platform.infrastructure({ cluster, namespace, endpoint, nodePools });
    if (!infrastructure || !managesMachines(cluster)) return done();
    for (const object of infrastructure.before) await ensure(context, object);
    await ensure(context, infrastructure.cluster);
    const key = { namespace, name: cluster.spec.infraID ?? '' };
    await upsert(context, clusterApiClusters, key, (live) => desiredCluster(cluster, infrastructure.cluster, live));
    return done();
  },
};
