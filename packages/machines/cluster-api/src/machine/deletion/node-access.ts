import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { type Environment, machineStore } from '../../environment.ts';
import { controlPlaneFacts } from '../../external/contract.ts';
import type * as capi from '../../generated/capiv1beta1.ts';
import { type HostedCluster, nodeOf } from '../../hosted/hosted-clusters.ts';
import { labels } from '../../keys.ts';

/** Whether a Machine's node may be drained and deleted, and the node itself as far as it is known. */
export type NodeAccess =
  | { readonly allowed: false }
  | { readonly allowed: true; readonly nodeName: string; readonly hosted: HostedCluster | undefined };

/**
 * A node of a cluster that goes away as a whole, or whose last control plane machine this is, is not worth the wait:
 * nobody could answer. A control plane that runs elsewhere answers until it is deleted itself.
 */
export async function nodeAccess(
  machine: capi.Machine,
  cluster: capi.Cluster | undefined,
  { external, hosted, namespace }: Environment,
  { cache, signal }: ReconcileContext,
): Promise<NodeAccess> {
  if (!cluster || cluster.metadata.deletionTimestamp) return { allowed: false };
  if (!(await controlPlaneStays())) return { allowed: false };
  const reached = await hosted.reach(cluster, signal);
  const nodeName =
    machine.status?.nodeRef?.name ?? (reached && nodeOf(reached, machine.spec.providerID ?? '')?.metadata.name);
  return nodeName ? { allowed: true, nodeName, hosted: reached } : { allowed: false };

  async function controlPlaneStays(): Promise<boolean> {
    if (cluster?.spec.controlPlaneRef) {
      const { object } = await external.find(cluster.spec.controlPlaneRef, signal);
      if (!object) return false;
      const facts = controlPlaneFacts(object);
      if (facts.deleting) return false;
      if (facts.externallyManaged) return true;
    }
    const others = machineStore(cache, namespace)
      .ofCluster(machine.spec.clusterName)
      .filter(
        ({ metadata }) =>
          metadata.labels?.[labels.controlPlane] !== undefined && metadata.name !== machine.metadata.name,
      );
    return others.some(({ metadata }) => !metadata.deletionTimestamp);
  }
}

/** The Node as the watch has it. */
export function knownNode({ nodeName, hosted }: NodeAccess & { readonly allowed: true }): corev1.Node | undefined {
  return hosted?.nodes.get({ name: nodeName });
}
