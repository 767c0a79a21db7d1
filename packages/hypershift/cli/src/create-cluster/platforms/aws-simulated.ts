import type { SimulatedInputs } from '../platform-builder.ts';
import type { ClusterRequest } from '../request.ts';

const account = '123456789012';
const roles = [
  'ingressARN',
  'imageRegistryARN',
  'storageARN',
  'networkARN',
  'kubeCloudControllerARN',
  'nodePoolManagementARN',
  'controlPlaneOperatorARN',
];

/** What AWS would have for a cluster, for a cloud that is simulated. */
export function simulatedAws({
  name,
  infraID,
  baseDomain,
}: Pick<ClusterRequest, 'name' | 'infraID' | 'baseDomain'>): SimulatedInputs {
  const arn = (role: string) => `arn:aws:iam::${account}:role/${infraID}-${role.toLowerCase().replace(/arn$/, '')}`;
  return {
    infra: {
      infraID,
      Name: name,
      baseDomain: baseDomain ?? 'example.com',
      machineCIDR: '10.0.0.0/16',
      vpcID: 'vpc-00000000000000000',
      zones: [{ name: 'us-east-1a', subnetID: 'subnet-00000000000000000' }],
      publicZoneID: 'Z00000000000000000000',
      privateZoneID: 'Z00000000000000000001',
    },
    files: {
      'iam-json': JSON.stringify({
        infraID,
        profileName: `${infraID}-worker`,
        issuerURL: `https://oidc.simulated/${infraID}`,
        roles: Object.fromEntries(roles.map((role) => [role, arn(role)])),
      }),
    },
  };
}
