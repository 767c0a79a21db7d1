import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import { isClusterApiControlPlane, isControlPlane } from '../control-plane.ts';
import { mustMatch } from '../cluster-settings.ts';
import type { ToClusterApi, ToMachineApi } from '../platform-conversion.ts';

type Cluster = azurev1beta1.AzureCluster;
type Balancers = Pick<AzureMachineProviderSpec, 'publicLoadBalancer' | 'internalLoadBalancer'>;

/** Cluster API knows load balancers of the cluster only; a machine joins those of its role by itself. */
export function checkLoadBalancers({
  spec,
  machine,
  cluster,
  facts,
  findings,
  path,
}: ToClusterApi<AzureMachineProviderSpec, Cluster>): void {
  const { publicLoadBalancer, internalLoadBalancer } = spec;
  const { apiServerLB, controlPlaneOutboundLB, nodeOutboundLB } = cluster?.spec.networkSpec ?? {};
  const outbound = nodeOutboundLB?.name ?? facts.infrastructure.infrastructureName;
  const publicField = `${path}.publicLoadBalancer`;
  const internalField = `${path}.internalLoadBalancer`;
  if (isControlPlane(machine)) {
    const api = { name: 'the API server load balancer of AzureCluster', value: apiServerLB?.name };
    mustMatch(internalField, internalLoadBalancer, api, findings);
    if (publicLoadBalancer && ![outbound, controlPlaneOutboundLB?.name].includes(publicLoadBalancer))
      mustMatch(publicField, publicLoadBalancer, api, findings);
    return;
  }
  mustMatch(
    publicField,
    publicLoadBalancer,
    { name: 'the node outbound load balancer of AzureCluster', value: outbound },
    findings,
  );
  if (!publicLoadBalancer && nodeOutboundLB)
    findings.warn(
      publicField,
      '',
      `the machine joins load balancer ${JSON.stringify(outbound)} of AzureCluster in CAPI`,
    );
  if (internalLoadBalancer)
    findings.invalid(
      internalField,
      internalLoadBalancer,
      'internalLoadBalancer is not supported for non-control plane machines',
    );
}

export function loadBalancersToMachineApi({
  machine,
  cluster,
}: Pick<ToMachineApi<unknown, Cluster>, 'machine' | 'cluster'>): Balancers {
  const { apiServerLB, controlPlaneOutboundLB, nodeOutboundLB } = cluster?.spec.networkSpec ?? {};
  if (!isClusterApiControlPlane(machine))
    return nodeOutboundLB?.name ? { publicLoadBalancer: nodeOutboundLB.name } : {};
  const internal = apiServerLB?.type === 'Internal' ? apiServerLB.name : undefined;
  const open = apiServerLB?.type === 'Internal' ? controlPlaneOutboundLB?.name : apiServerLB?.name;
  return {
    ...(open ? { publicLoadBalancer: open } : {}),
    ...(internal ? { internalLoadBalancer: internal } : {}),
  };
}
