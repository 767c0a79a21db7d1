import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { Findings } from '../findings.ts';

type AddressFields = Pick<awsv1beta2.AWSMachineSpec, 'privateDnsName' | 'assignPrimaryIPv6'>;

/** Names and addresses of instances in a cluster of two address families. */
export function addressFamily({ infrastructure }: ClusterFacts): AddressFields {
  const family = infrastructure.platformStatus?.aws?.ipFamily;
  if (family !== 'DualStackIPv4Primary' && family !== 'DualStackIPv6Primary') return {};
  return {
    privateDnsName: {
      enableResourceNameDnsAAAARecord: true,
      enableResourceNameDnsARecord: true,
      hostnameType: 'resource-name',
    },
    assignPrimaryIPv6: family === 'DualStackIPv6Primary' ? 'enabled' : 'disabled',
  };
}

/** The Machine API derives both from the cluster, so other choices are not carried over. */
export function tellOtherFamily(spec: AddressFields, facts: ClusterFacts, path: string, findings: Findings): void {
  const derived = addressFamily(facts);
  for (const name of ['privateDnsName', 'assignPrimaryIPv6'] as const)
    if (spec[name] !== undefined && !jsonEqual(spec[name], derived[name]))
      findings.warn(`${path}.${name}`, spec[name], `${name} is derived from the cluster in MAPI, ignoring`);
}
