import type { SimulatedInputs } from '../platform-builder.ts';
import type { ClusterRequest } from '../request.ts';

const subscription = '00000000-0000-4000-8000-000000000000';
const workloads = ['imageRegistry', 'ingress', 'file', 'disk', 'nodePoolManagement', 'cloudProvider', 'network'];

/** What Azure would have for a cluster, for a cloud that is simulated. */
export function simulatedAzure({
  name,
  infraID,
  baseDomain,
}: Pick<ClusterRequest, 'name' | 'infraID' | 'baseDomain'>): SimulatedInputs {
  const group = `/subscriptions/${subscription}/resourceGroups/${infraID}`;
  const network = `${group}/providers/Microsoft.Network/virtualNetworks/${name}-vnet`;
  const identity = (index: number) => ({ clientID: `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}` });
  return {
    infra: {
      infraID,
      baseDomain: baseDomain ?? 'example.com',
      region: 'eastus',
      resourceGroupName: infraID,
      vnetID: network,
      subnetID: `${network}/subnets/default`,
      securityGroupID: `${group}/providers/Microsoft.Network/networkSecurityGroups/${name}-nsg`,
      workloadIdentities: Object.fromEntries(workloads.map((workload, index) => [workload, identity(index)])),
    },
    flags: { 'oidc-issuer-url': `https://oidc.simulated/${infraID}` },
    files: { 'azure-creds': JSON.stringify({ subscriptionId: subscription, tenantId: subscription }) },
  };
}
