import type { AWSEndpointService, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { OfferedService, PrivateEndpoint, PrivateLink, SecurityGroup } from '../cloud-account.ts';
import type { PrivateConnectivity } from '../platform.ts';

const statusOf = (link: PrivateConnectivity) => (link as AWSEndpointService).status ?? {};

const nameOf = ({ metadata }: PrivateConnectivity) => `${metadata.namespace}-${metadata.name}`;

const offered = (link: PrivateConnectivity, { spec }: HostedControlPlane): OfferedService => ({
  name: nameOf(link),
  region: spec.platform.aws?.region ?? '',
});

const endpoint = (link: PrivateConnectivity, { spec }: HostedControlPlane): PrivateEndpoint => ({
  name: nameOf(link),
  service: statusOf(link).endpointServiceName ?? '',
  network: spec.platform.aws?.cloudProviderConfig?.vpc ?? '',
});

/** What may reach the endpoint. */
const endpointGroup = (link: PrivateConnectivity, hcp: HostedControlPlane): SecurityGroup => ({
  name: `${hcp.spec.infraID}-vpce-${link.metadata.name}`,
  network: endpoint(link, hcp).network,
});

/** PrivateLink: an endpoint service before the load balancer, an endpoint in the VPC of the nodes, and names that lead there. */
export const awsPrivateLink: PrivateLink = {
  spec({ spec }, { metadata }) {
    const { aws } = spec.platform;
    if ((aws?.endpointAccess ?? 'Public') === 'Public') return undefined;
    const subnet = aws?.cloudProviderConfig?.subnet?.id;
    return {
      // The name AWS gives the load balancer of a Service.
      networkLoadBalancerName: `a${(metadata.uid ?? '').replaceAll('-', '')}`.slice(0, 32),
      ...(subnet ? { subnetIDs: [subnet] } : {}),
      ...(aws?.resourceTags ? { resourceTags: aws.resourceTags } : {}),
    };
  },
  offer: {
    conditions: ['AWSEndpointServiceAvailable'],
    refused: 'AWSError',
    run: async (link, hcp, account, signal) => ({
      endpointServiceName: await account.offerService(offered(link, hcp), signal),
    }),
    async undo(link, account, signal) {
      const { endpointServiceName: name } = statusOf(link);
      if (name) await account.withdrawService(name, signal);
    },
  },
  connect: {
    conditions: ['AWSEndpointAvailable'],
    refused: 'AWSError',
    async run(link, hcp, account, signal) {
      const securityGroupID = await account.ensureSecurityGroup(endpointGroup(link, hcp), signal);
      const { id } = await account.connectEndpoint(endpoint(link, hcp), signal);
      const domain = `${hcp.metadata.name}.hypershift.local`;
      return { endpointID: id, securityGroupID, dnsNames: [`api.${domain}`, `*.apps.${domain}`] };
    },
    async undo(link, account, signal) {
      const { endpointID, securityGroupID } = statusOf(link);
      if (endpointID) await account.disconnectEndpoint(endpointID, signal);
      if (securityGroupID) await account.deleteSecurityGroup(securityGroupID, signal);
    },
  },
};
