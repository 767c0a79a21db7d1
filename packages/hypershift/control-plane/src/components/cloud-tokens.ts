import type { TokenMinter } from '../framework/inject/index.ts';
import type { ControlPlaneContext } from '../framework/context.ts';

/** Platforms whose clouds take tokens of the hosted cluster instead of keys. */
const federated: ReadonlySet<string> = new Set(['AWS', 'GCP']);

/** Whether components exchange service account tokens at the cloud: AWS, GCP, and Azure where we manage identities. */
export function mintsCloudTokens({ hcp }: Pick<ControlPlaneContext, 'hcp'>): boolean {
  const { type, azure } = hcp.spec.platform;
  if (type === 'Azure') return azure?.azureAuthenticationConfig?.azureAuthenticationConfigType === 'WorkloadIdentities';
  return federated.has(type);
}

/** The minter for one container, or none where the cloud does not take tokens. */
export function cloudTokenFor(
  container: string,
  serviceAccount: TokenMinter['serviceAccount'],
  kubeconfigVolume?: string,
): (context: ControlPlaneContext) => readonly TokenMinter[] {
  return (context) =>
    mintsCloudTokens(context)
      ? [{ use: 'cloud', serviceAccount, containers: [container], ...(kubeconfigVolume ? { kubeconfigVolume } : {}) }]
      : [];
}
