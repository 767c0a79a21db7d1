import { BlockList, isIP, isIPv4 } from 'node:net';
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import type { PoolVerdict } from './report.ts';

const mostText = 256;

function listOf(cidr: string): BlockList | undefined {
  const [address = '', bits = ''] = cidr.split('/');
  if (!isIP(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > (isIPv4(address) ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  return list;
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

type Addresses = NonNullable<NonNullable<capiv1beta1.Machine['status']>['addresses']>;

/** Whether all addresses of a machine are clear of some networks; asked for a thousand machines again and again. */
const clear = new WeakMap<Addresses, string>();
const linkLocal = ['169.254.0.0/16', 'fe80::/10'].map(listOf).filter((list) => list !== undefined);

/** Addresses that pods could have too; only a machine without any other address is in trouble. */
export function networkConflict(
  { spec }: HostedCluster,
  machines: readonly capiv1beta1.Machine[],
): PoolVerdict | undefined {
  const networks = (spec.networking?.clusterNetwork ?? []).flatMap(({ cidr }) => {
    const list = listOf(cidr);
    return list ? [{ cidr, list }] : [];
  });
  const cidrs = networks.map(({ cidr }) => cidr).join();
  const found: string[] = [];
  let length = 0;
  for (const { metadata, status } of machines) {
    if (status?.addresses && clear.get(status.addresses) === cidrs) continue;
    const addresses = (status?.addresses ?? [])
      .filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP')
      .map(({ address }) => address)
      .filter((address) => isIP(address) !== 0 && !linkLocal.some((list) => isIn(list, address)));
    const collisions = addresses.flatMap((address) => {
      const network = networks.find(({ list }) => isIn(list, address));
      return network
        ? [`machine [${metadata.name}] with ip [${address}] collides with cluster-network cidr [${network.cidr}]`]
        : [];
    });
    if (addresses.length === 0 || collisions.length < addresses.length) {
      if (status?.addresses) clear.set(status.addresses, cidrs);
      continue;
    }
    if (length >= mostText) {
      found.push('too many similar errors...');
      break;
    }
    found.push(...collisions);
    length += collisions.join(', ').length;
  }
  if (found.length === 0) return undefined;
  return {
    type: 'ClusterNetworkCIDRConflict',
    status: 'True',
    reason: 'InvalidConfiguration',
    message: found.join(', '),
  };
}
