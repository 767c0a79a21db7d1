import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { Findings } from '../findings.ts';

/** Where resources of a cluster live. */
export interface Home {
  readonly subscription: string | undefined;
  readonly resourceGroup: string | undefined;
}

export function homeOf(facts: ClusterFacts, cluster: azurev1beta1.AzureCluster | undefined): Home {
  return {
    subscription: facts.azureSubscriptionID ?? cluster?.spec.subscriptionID,
    resourceGroup: cluster?.spec.resourceGroup,
  };
}

function subscriptionOf({ subscription }: Home, field: string, value: string, findings: Findings): string {
  if (!subscription) findings.invalid(field, value, 'the subscription of the cluster must be known to complete it');
  return `/subscriptions/${subscription ?? ''}`;
}

/** Image ids of the Machine API start behind the subscription. */
export function imageToClusterApi(resourceID: string, home: Home, field: string, findings: Findings): string {
  if (resourceID.startsWith('/subscriptions/')) return resourceID;
  if (!resourceID.startsWith('/')) findings.invalid(field, resourceID, 'must start with "/"');
  return subscriptionOf(home, field, resourceID, findings) + resourceID;
}

export function imageToMachineApi(id: string, { subscription }: Home): string {
  const prefix = `/subscriptions/${subscription}/`;
  return subscription && id.startsWith(prefix) ? id.slice(prefix.length - 1) : id;
}

const identities = '/providers/Microsoft.ManagedIdentity/userAssignedIdentities/';

/** An identity of the Machine API is a name in the group of the machine, or a whole id. */
export function identityToClusterApi(
  identity: string,
  home: Home,
  group: string | undefined,
  field: string,
  findings: Findings,
): string {
  if (identity.startsWith('/subscriptions/')) return `azure://${identity}`;
  const subscription = subscriptionOf(home, field, identity, findings);
  return `azure://${subscription}/resourcegroups/${group ?? home.resourceGroup ?? ''}${identities}${identity}`;
}

export function identityToMachineApi(providerID: string, { subscription, resourceGroup }: Home): string {
  const id = providerID.replace(/^azure:\/\//, '');
  const local = `/subscriptions/${subscription}/resourcegroups/${resourceGroup}${identities}`;
  // Azure does not tell upper from lower case in ids.
  return subscription && resourceGroup && id.toLowerCase().startsWith(local.toLowerCase())
    ? id.slice(local.length)
    : id;
}
