/** Address ranges: they must be ranges, of one family, and apart from each other. */
import {
  type CIDR,
  cidrContains,
  cidrsOverlap,
  type FieldError,
  fieldError,
  parseCIDR,
  parseIP,
} from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterCheck, HostedClusterSpec } from './facts.ts';

interface Range {
  readonly field: string;
  readonly text: string;
  readonly cidr: CIDR | undefined;
}

/** Where nodes reach the API server when spec.networking.apiServer.advertiseAddress says nothing. */
export const defaultAdvertiseAddress = { 4: '172.20.0.1', 6: 'fd00::1' } as const;

/** Ports a NodePort service may have when spec.configuration.network.serviceNodePortRange says nothing. */
export const defaultNodePortRange = '30000-32767';

const path = 'spec.networking';

function ranges(name: 'machineNetwork' | 'clusterNetwork' | 'serviceNetwork', spec: HostedClusterSpec): Range[] {
  return (spec.networking?.[name] ?? []).map(({ cidr: text }, index) => ({
    field: `${path}.${name}[${index}].cidr`,
    text,
    cidr: parseCIDR(text),
  }));
}

function internalRanges(spec: HostedClusterSpec): Range[] {
  const field = 'spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig';
  const config = spec.operatorConfiguration?.clusterNetworkOperator?.ovnKubernetesConfig;
  const onKubeVirt = spec.platform?.type === 'KubeVirt' && spec.networking?.networkType === 'OVNKubernetes';
  const subnets: readonly (readonly [string, string | undefined])[] = [
    // Nested clusters get other internal subnets than the cluster their machines run on.
    ['v4InternalSubnet', config?.v4InternalSubnet ?? (onKubeVirt ? '100.66.0.0/16' : undefined)],
    ['v6InternalSubnet', config?.v6InternalSubnet],
    ['ipv4.internalJoinSubnet', config?.ipv4?.internalJoinSubnet],
    ['ipv4.internalTransitSwitchSubnet', config?.ipv4?.internalTransitSwitchSubnet],
    ['ipv6.internalJoinSubnet', config?.ipv6?.internalJoinSubnet ?? (onKubeVirt ? 'fd99::/64' : undefined)],
    ['ipv6.internalTransitSwitchSubnet', config?.ipv6?.internalTransitSwitchSubnet],
  ];
  return subnets.flatMap(([name, text]) =>
    text === undefined ? [] : [{ field: `${field}.${name}`, text, cidr: parseCIDR(text) }],
  );
}

function malformed(all: readonly Range[]): FieldError[] {
  return all
    .filter(({ cidr }) => !cidr)
    .map(({ field, text }) => fieldError.invalid(field, text, 'must be a valid IPv4 or IPv6 CIDR'));
}

function overlapping(all: readonly Range[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, one] of all.entries())
    for (const other of all.slice(index + 1))
      if (one.cidr && other.cidr && cidrsOverlap(one.cidr, other.cidr))
        errors.push(
          fieldError.invalid(one.field, one.text, `${one.text} and ${other.text} overlap (also in ${other.field})`),
        );
  return errors;
}

function advertised(spec: HostedClusterSpec, firsts: readonly Range[]): FieldError[] {
  const field = `${path}.apiServer.advertiseAddress`;
  const given = spec.networking?.apiServer?.advertiseAddress || undefined;
  const service = firsts.find(({ field: name }) => name.includes('serviceNetwork'));
  const family = service?.cidr?.address.family ?? 4;
  const text = given ?? defaultAdvertiseAddress[family];
  const address = parseIP(text);
  if (!address) return [fieldError.invalid(field, text, 'must be a valid IPv4 or IPv6 address')];
  const errors = firsts
    .filter(({ cidr }) => cidr && cidrContains(cidr, address))
    .map((range) => fieldError.invalid(field, text, `must not be inside ${range.text} (${range.field})`));
  const odd = firsts.find(({ cidr }) => cidr && cidr.address.family !== address.family);
  if (given !== undefined && odd)
    errors.push(fieldError.invalid(field, text, `must be of the same IP family as ${odd.text} (${odd.field})`));
  return errors;
}

function mixedFamilies(firsts: readonly Range[]): FieldError[] {
  const known = firsts.filter(({ cidr }) => cidr);
  const [first] = known;
  return known
    .filter(({ cidr }) => cidr!.address.family !== first!.cidr!.address.family)
    .map(({ field, text }) =>
      fieldError.invalid(field, text, `must be of the same IP family as ${first!.text} (${first!.field})`),
    );
}

/** Ranges of pods, services, machines and OVN, and the address nodes use for the API server. */
export const validateNetworks: HostedClusterCheck = ({ spec }) => {
  if (spec.platform?.type === 'IBMCloud') return [];
  const machine = ranges('machineNetwork', spec);
  const service = ranges('serviceNetwork', spec);
  const cluster = ranges('clusterNetwork', spec);
  const all = [...machine, ...service, ...cluster, ...internalRanges(spec)];
  const firsts = [cluster[0], service[0], machine[0]].filter((range) => range !== undefined);
  return [...malformed(all), ...overlapping(all), ...mixedFamilies(firsts), ...advertised(spec, firsts)];
};

function portRange(spec: HostedClusterSpec): { readonly text: string; readonly low: number; readonly high: number } {
  const given = spec.configuration?.network?.serviceNodePortRange;
  const text = given === undefined || given === '' ? defaultNodePortRange : given;
  const [low = Number.NaN, high = Number.NaN] = text.split('-').map(Number);
  return { text, low, high };
}

/** Addresses and ports of services published on nodes. */
export const validateNodePorts: HostedClusterCheck = ({ spec }) => {
  if (spec.platform?.type === 'IBMCloud') return [];
  const services = ranges('serviceNetwork', spec);
  const { text, low, high } = portRange(spec);
  return (spec.services ?? []).flatMap(({ service, servicePublishingStrategy }, index) => {
    const nodePort = servicePublishingStrategy?.nodePort;
    if (!nodePort) return [];
    const field = `spec.services[${index}].servicePublishingStrategy.nodePort`;
    const address = parseIP(nodePort.address);
    const inside = address && services.find(({ cidr }) => cidr && cidrContains(cidr, address));
    const port = nodePort.port ?? 0;
    return [
      ...(inside
        ? [
            fieldError.invalid(
              `${field}.address`,
              nodePort.address,
              `must not be inside ${inside.text} (${inside.field})`,
            ),
          ]
        : []),
      ...(service === 'APIServer' && port !== 0 && !(port >= low && port <= high)
        ? [fieldError.invalid(`${field}.port`, port, `must be 0 or within the node port range ${text}`)]
        : []),
    ];
  });
};

/** Sources allowed to reach the API server. */
export const validateAllowedSources: HostedClusterCheck = ({ spec }) =>
  (spec.networking?.apiServer?.allowedCIDRBlocks ?? []).flatMap((text, index) =>
    parseCIDR(text)
      ? []
      : [
          fieldError.invalid(
            `${path}.apiServer.allowedCIDRBlocks[${index}]`,
            text,
            'must be a valid IPv4 or IPv6 CIDR',
          ),
        ],
  );

/** How many addresses each node gets must fit into the pod range. */
export const validateHostPrefix: HostedClusterCheck = ({ spec }) =>
  (spec.networking?.clusterNetwork ?? []).flatMap(({ cidr: text, hostPrefix }, index) => {
    const cidr = parseCIDR(text);
    if (!cidr || hostPrefix === undefined || hostPrefix === 0) return [];
    const longest = cidr.address.family === 4 ? 32 : 128;
    if (hostPrefix >= cidr.bits && hostPrefix <= longest) return [];
    const field = `${path}.clusterNetwork[${index}].hostPrefix`;
    return [fieldError.invalid(field, hostPrefix, `must be between ${cidr.bits} and ${longest} to fit into ${text}`)];
  });
