import { type CrdManifestObject, readStoredCrds } from '@hypershift-ts/kube-apimachinery';
import { agentCrds } from './generated/agent-crds.ts';
import { awsCrds } from './generated/aws-crds.ts';
import { azureCrds } from './generated/azure-crds.ts';
import { gcpCrds } from './generated/gcp-crds.ts';
import { ibmcloudCrds } from './generated/ibmcloud-crds.ts';
import { kubevirtCrds } from './generated/kubevirt-crds.ts';
import { openstackCrds } from './generated/openstack-crds.ts';

const stored = {
  agent: agentCrds,
  aws: awsCrds,
  azure: azureCrds,
  gcp: gcpCrds,
  ibmcloud: ibmcloudCrds,
  kubevirt: kubevirtCrds,
  openstack: openstackCrds,
} as const;

export type InfrastructureProvider = keyof typeof stored;

/** Every infrastructure provider of Cluster API whose kinds are here. */
export const infrastructureProviders = Object.keys(stored) as readonly InfrastructureProvider[];

const read = new Map<InfrastructureProvider, readonly CrdManifestObject[]>();

/** The CRDs of one provider, with the label by which Cluster API finds the version it understands. */
export function providerCrds(provider: InfrastructureProvider): readonly CrdManifestObject[] {
  const known = read.get(provider) ?? readStoredCrds(stored[provider]);
  read.set(provider, known);
  return known;
}
