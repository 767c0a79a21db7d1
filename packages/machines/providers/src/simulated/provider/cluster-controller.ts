import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, patchStatus } from '@hypershift-ts/kube-controller';

interface InfraCluster extends KubeObject {
  readonly status?: { readonly ready?: boolean };
}

/** Networks and the like exist in a simulated cloud as soon as somebody asks for them. */
export function clusterController(type: ResourceType<KubeObject>, namespace: string | undefined): Controller {
  const scope = namespace ? { namespace } : {};
  return controller<KubeObject>({
    name: `simulated-${type.resource}`,
    for: { type, ...scope },
    async reconcile(key, { cache, client, clock }) {
      const cluster = cache.get(type, key, scope) as InfraCluster | undefined;
      if (!cluster || cluster.status?.ready || cluster.metadata.deletionTimestamp) return;
      const { namespace: home = '', name = '' } = cluster.metadata;
      // Assisted installation knows a cluster by its ClusterDeployment, and the kind insists on the reference.
      const deployment = type.kind === 'AgentCluster' ? { clusterDeploymentReference: { namespace: home, name } } : {};
      await patchStatus(client, type, cluster as KubeObject, { status: { ready: true, ...deployment } }, { clock });
    },
  });
}
