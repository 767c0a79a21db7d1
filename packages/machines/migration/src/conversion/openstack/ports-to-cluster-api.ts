import type { OpenstackNetwork, OpenstackPort } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import { referenceToClusterApi, subnetToClusterApi } from './filters.ts';
import type { OldSubnetFilter, Port } from './types.ts';

type OldSubnet = NonNullable<OpenstackNetwork['subnets']>[number];

/** Networks become ports: one each, or one per subnet where only subnets are said. */
export function networksToClusterApi(
  networks: readonly OpenstackNetwork[] = [],
  path: string,
  findings: Findings,
): readonly Draft<Port>[] {
  return networks.flatMap((network, index) => {
    const field = `${path}[${index}]`;
    if (network.fixedIp) findings.warn(`${field}.fixedIP`, network.fixedIp, 'fixedIp is ignored by MAPO, ignoring');
    const subnets = network.subnets ?? [];
    for (const [position, { filter }] of subnets.entries()) {
      const { networkId } = (filter ?? {}) as OldSubnetFilter;
      if (networkId)
        findings.warn(
          `${field}.subnets[${position}].filter.networkId`,
          networkId,
          'networkId is ignored by MAPO, ignoring',
        );
    }
    const reference = referenceToClusterApi(network.uuid, network.filter);
    if (reference) return [{ network: reference, ...portOf(network, subnets, field, findings) }];
    return subnets.map((subnet) => portOf(network, [subnet], field, findings));
  });
}

/** What network and subnets say about the port that they share. */
function portOf(
  network: OpenstackNetwork,
  subnets: readonly OldSubnet[],
  path: string,
  findings: Findings,
): Draft<Port> {
  const { portSecurity } = network;
  return {
    fixedIPs: subnets
      .map(({ uuid, filter }) => subnetToClusterApi(uuid, filter as OldSubnetFilter | undefined))
      .filter((subnet) => subnet !== undefined)
      .map((subnet) => ({ subnet })),
    tags: [...new Set([...(network.portTags ?? []), ...subnets.flatMap(({ portTags = [] }) => portTags)])],
    vnicType: network.vnicType || undefined,
    profile: profileToClusterApi(network.profile, `${path}.profile`, findings),
    disablePortSecurity: portSecurity === undefined ? undefined : !portSecurity,
  };
}

export function portsToClusterApi(
  ports: readonly OpenstackPort[] = [],
  path: string,
  findings: Findings,
): readonly Draft<Port>[] {
  return ports.map((port, index) => {
    const field = `${path}[${index}]`;
    if (port.hostID) findings.warn(`${field}.hostID`, port.hostID, 'hostID is ignored by MAPO, ignoring');
    return {
      network: port.networkID ? { id: port.networkID } : undefined,
      description: port.description || undefined,
      nameSuffix: port.nameSuffix || undefined,
      fixedIPs: port.fixedIPs?.map(({ subnetID, ipAddress }) => ({
        subnet: subnetID ? { id: subnetID } : undefined,
        ipAddress: ipAddress || undefined,
      })),
      securityGroups: port.securityGroups?.map((id) => ({ id })),
      tags: port.tags,
      trunk: port.trunk,
      adminStateUp: port.adminStateUp,
      macAddress: port.macAddress || undefined,
      allowedAddressPairs: port.allowedAddressPairs?.map(({ ipAddress = '', macAddress }) => ({
        ipAddress,
        macAddress: macAddress || undefined,
      })),
      vnicType: port.vnicType || undefined,
      profile: profileToClusterApi(port.profile, `${field}.profile`, findings),
      disablePortSecurity: port.portSecurity === undefined ? undefined : !port.portSecurity,
    };
  });
}

/** Of a binding profile Cluster API knows two switches. */
function profileToClusterApi(
  profile: { readonly [key: string]: string } | undefined,
  path: string,
  findings: Findings,
): Port['profile'] {
  if (!profile || Object.keys(profile).length === 0) return undefined;
  const { capabilities, trusted, ...others } = profile;
  if (Object.keys(others).length > 0) findings.invalid(path, profile, 'profile contains an unsupported key');
  if (capabilities && !capabilities.includes('switchdev'))
    findings.invalid(`${path}[capabilities]`, capabilities, 'only switchdev is supported');
  return {
    ...(capabilities?.includes('switchdev') ? { ovsHWOffload: true } : {}),
    ...(trusted === 'true' ? { trustedVF: true } : {}),
  };
}
