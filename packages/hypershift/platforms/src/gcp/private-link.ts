import type { GCPPrivateServiceConnect, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { OfferedService, PrivateEndpoint, PrivateLink } from '../cloud-account.ts';
import type { PrivateConnectivity } from '../platform.ts';

const statusOf = (link: PrivateConnectivity) => (link as GCPPrivateServiceConnect).status ?? {};

const offered = (_link: PrivateConnectivity, { spec }: HostedControlPlane): OfferedService => ({
  name: `${spec.infraID}-psc`.slice(-63),
  region: spec.platform.gcp?.region ?? '',
});

const endpoint = (link: PrivateConnectivity, { spec }: HostedControlPlane): PrivateEndpoint => ({
  name: `${spec.infraID}-psc-endpoint`,
  service: statusOf(link).serviceAttachmentURI ?? '',
  network: spec.platform.gcp?.networkConfig.network.name ?? '',
});

/** Private Service Connect: a service attachment before the load balancer, an endpoint in the network of the nodes, and its names. */
export const gcpPrivateLink: PrivateLink = {
  spec: ({ spec }, _balancer, address) =>
    spec.platform.gcp ? { consumerAcceptList: [spec.platform.gcp.project], loadBalancerIP: address } : undefined,
  offer: {
    conditions: ['GCPServiceAttachmentAvailable'],
    refused: 'GCPError',
    async run(link, hcp, account, signal) {
      const serviceAttachmentURI = await account.offerService(offered(link, hcp), signal);
      return { serviceAttachmentName: offered(link, hcp).name, serviceAttachmentURI };
    },
    async undo(link, account, signal) {
      const { serviceAttachmentURI: name } = statusOf(link);
      if (name) await account.withdrawService(name, signal);
    },
  },
  connect: {
    conditions: ['GCPEndpointAvailable', 'GCPDNSAvailable', 'GCPPrivateServiceConnectAvailable'],
    refused: 'GCPError',
    async run(link, hcp, account, signal) {
      const { ip } = await account.connectEndpoint(endpoint(link, hcp), signal);
      return {
        endpointIP: ip,
        dnsZones: [{ name: `${hcp.metadata.name}.hypershift.local`, records: ['api', '*.apps'] }],
      };
    },
    async undo(link, account, signal) {
      const { endpointIP } = statusOf(link);
      if (endpointIP) await account.disconnectEndpoint(endpointIP, signal);
    },
  },
};
