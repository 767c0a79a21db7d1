import {
  cidrsOverlap,
  isDNS1123Label,
  isDNS1123Subdomain,
  parseCIDR,
  parseQuantity,
} from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../cli-error.ts';
import type { CoreFlags } from './core-flags.ts';

const capabilities = [
  'ImageRegistry',
  'openshift-samples',
  'Insights',
  'baremetal',
  'Console',
  'NodeTuning',
  'Ingress',
];
const smallestMtu = 576;
const largestMtu = 9216;

function named(flags: CoreFlags): void {
  if (!flags.name) throw new UserError('the cluster has no name', 'Give it one with --name.');
  const [problem] = isDNS1123Label(flags.name);
  if (problem) throw new UserError(`--name ${flags.name}: ${problem}`, 'Use lower-case letters, digits and dashes.');
  const name = flags.kasDnsName;
  const [dnsProblem] = name === undefined ? [] : isDNS1123Subdomain(name);
  if (dnsProblem) throw new UserError(`--kas-dns-name ${name}: ${dnsProblem}`);
}

function ssh(flags: CoreFlags): void {
  if (flags.sshKey && flags.generateSsh)
    throw new UserError('--generate-ssh and --ssh-key cannot be given together', 'Leave one of them out.');
}

function knownCapabilities({ enableClusterCapabilities: on, disableClusterCapabilities: off }: CoreFlags): void {
  for (const [flag, names] of [
    ['enable-cluster-capabilities', on],
    ['disable-cluster-capabilities', off],
  ] as const) {
    const unknown = names.find((name) => !capabilities.includes(name));
    if (unknown)
      throw new UserError(`--${flag}: unknown capability ${unknown}`, `There are ${capabilities.join(', ')}.`);
  }
  if (off.includes('Ingress') && !off.includes('Console'))
    throw new UserError(
      '--disable-cluster-capabilities: Ingress can only be left out together with Console',
      'Add Console to the list, or keep Ingress.',
    );
}

function network(flags: CoreFlags): void {
  const { networkType, ovnKubernetesMtu: mtu } = flags;
  const only = (flag: string, type: string) =>
    new UserError(
      `--${flag} works with --network-type ${type} only, not with ${networkType}`,
      `Leave --${flag} out, or add --network-type ${type}.`,
    );
  if (flags.disableMultiNetwork && networkType !== 'Other') throw only('disable-multi-network', 'Other');
  if (flags.allocateNodeCidrs && networkType !== 'Other') throw only('allocate-node-cidrs', 'Other');
  if (mtu !== undefined && networkType !== 'OVNKubernetes') throw only('ovn-kubernetes-mtu', 'OVNKubernetes');
  if (mtu !== undefined && (mtu < smallestMtu || mtu > largestMtu))
    throw new UserError(`--ovn-kubernetes-mtu ${mtu}: it must be from ${smallestMtu} to ${largestMtu}`);
  for (const [flag, ranges] of [
    ['cluster-cidr', flags.clusterCidr],
    ['service-cidr', flags.serviceCidr],
    ['machine-cidr', flags.machineCidr],
  ] as const)
    for (const range of ranges)
      if (!parseCIDR(range))
        throw new UserError(`--${flag} ${range}: not a network`, 'Write it as address/bits, such as 10.132.0.0/14.');
  apart(flags);
}

/** An address must mean one thing: networks of pods, services and nodes may not overlap. */
function apart({ clusterCidr, serviceCidr, machineCidr }: CoreFlags): void {
  const named = (flag: string, ranges: readonly string[]) =>
    ranges.map((range) => ({ flag, range, cidr: parseCIDR(range) }));
  const all = [
    ...named('cluster-cidr', clusterCidr),
    ...named('service-cidr', serviceCidr),
    ...named('machine-cidr', machineCidr),
  ];
  for (const [index, a] of all.entries())
    for (const b of all.slice(index + 1))
      if (a.cidr && b.cidr && cidrsOverlap(a.cidr, b.cidr))
        throw new UserError(
          `--${a.flag} ${a.range} and --${b.flag} ${b.range} overlap`,
          'Choose networks that have no address in common.',
        );
}

function sizes(flags: CoreFlags): void {
  try {
    parseQuantity(flags.etcdStorageSize);
  } catch {
    throw new UserError(`--etcd-storage-size ${flags.etcdStorageSize}: not a size`, 'Write it as 8Gi.');
  }
}

function paused({ pausedUntil }: CoreFlags): void {
  if (pausedUntil === undefined || pausedUntil === 'true') return;
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(pausedUntil) || Number.isNaN(Date.parse(pausedUntil)))
    throw new UserError(
      `--pausedUntil ${pausedUntil}: neither "true" nor an RFC 3339 time`,
      'Write it as 2030-01-31T12:00:00Z.',
    );
}

/** Refuses flags that cannot work, before anything is read or written. */
export function checkCoreFlags(flags: CoreFlags): void {
  for (const check of [named, ssh, knownCapabilities, network, sizes, paused]) check(flags);
}
