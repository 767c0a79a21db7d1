import { UserError } from '../../cli-error.ts';
import { dnsOf } from '../hosted-cluster.ts';
import type { PlatformBuilder } from '../platform-builder.ts';
import { ingressServices, nodePortServices } from '../services.ts';

const addressFlag = 'external-api-server-address';
const balancerFlag = 'expose-through-load-balancer';

/** None: no cloud; nodes come from somewhere else. */
export const none: PlatformBuilder = {
  type: 'None',
  command: 'none',
  summary: 'A cluster without a cloud: nodes come from elsewhere',
  examples: [
    'hypershift create cluster none --name demo --wait',
    'hypershift create cluster none --name demo --external-api-server-address 192.0.2.10 --render',
  ],
  nodes: { flags: [], upgradeType: 'InPlace', build: () => ({ type: 'None' }) },
  needsNodeAddress: (flags) => !flags.text(addressFlag) && !flags.isSet(balancerFlag),
  build(flags, request, facts) {
    return {
      spec: {
        platform: { type: 'None' },
        dns: dnsOf(request, 'example.com'),
        services: flags.isSet(balancerFlag)
          ? ingressServices({ apiServerRoute: false })
          : nodePortServices(publicAddress(flags.text(addressFlag), addressFlag, facts.nodeAddress)),
      },
      objects: [],
      nodePools: [{ platform: { type: 'None' } }],
    };
  },
};

/** The address services are published on. */
export function publicAddress(given: string | undefined, flag: string, found: string | undefined): string {
  const address = given ?? found;
  if (address) return address;
  throw new UserError(
    'it is not known at which address services of the cluster will be reached',
    `Give it with --${flag}, or name a management cluster whose node addresses can be read.`,
  );
}
