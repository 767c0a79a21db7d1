import type { OpenstackNetwork, OpenstackPort } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import { unlessEmpty } from '../labels.ts';
import { filterToMachineApi, selects, subnetFilterToMachineApi } from './filters.ts';
import type { Port } from './types.ts';

/** Fields of a port that a network of the Machine API has no place for. */
const onlyForPorts = [
  'description',
  'nameSuffix',
  'securityGroups',
  'trunk',
  'adminStateUp',
  'macAddress',
  'allowedAddressPairs',
] as const;

function needsPort(port: Port): boolean {
  const says = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return onlyForPorts.some((field) => says(port[field])) || (port.fixedIPs ?? []).some(({ ipAddress }) => ipAddress);
}

/** Ports found by properties are networks of the Machine API, whose ports know ids only. */
function needsNetwork(port: Port): boolean {
  if (selects(port.network?.filter)) return true;
  if (!port.network) return port.fixedIPs?.[0]?.subnet !== undefined;
  return !needsPort(port) && (port.fixedIPs ?? []).some(({ subnet }) => selects(subnet?.filter) && !subnet?.id);
}

/**
 * Ports as networks and ports. The Machine API plugs in networks first, so a port that comes before a network and
 * could be either becomes a network, which keeps the order of the interfaces of the server.
 */
export function portsToMachineApi(
  ports: readonly Port[] = [],
  path: string,
  findings: Findings,
): { readonly networks: readonly Draft<OpenstackNetwork>[]; readonly ports: readonly Draft<OpenstackPort>[] } {
  const lastNetwork = ports.findLastIndex(needsNetwork);
  const networks: Draft<OpenstackNetwork>[] = [];
  const others: Draft<OpenstackPort>[] = [];
  for (const [index, port] of ports.entries()) {
    const field = `${path}[${index}]`;
    tellWhatIsLost(port, field, findings);
    if (needsNetwork(port) || (index < lastNetwork && port.network?.id && !needsPort(port)))
      networks.push(toNetwork(port, field, findings));
    else {
      if (index < lastNetwork && port.network?.id)
        findings.warn(field, port.network, 'MAPO connects networks found by filter before this port');
      others.push(toPort(port, field, findings));
    }
  }
  return { networks, ports: others };
}

function tellWhatIsLost(port: Port, path: string, findings: Findings): void {
  for (const name of ['hostID', 'propagateUplinkStatus', 'valueSpecs'] as const) {
    const value = port[name];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0))
      findings.warn(`${path}.${name}`, value, `The ${name} field has no equivalent in MAPO and is not supported`);
  }
}

function toNetwork(port: Port, path: string, findings: Findings): Draft<OpenstackNetwork> {
  if (port.network?.id && selects(port.network.filter))
    findings.invalid(`${path}.network.filter`, port.network.filter, 'filter cannot be combined with id');
  for (const name of onlyForPorts)
    if (port[name] !== undefined && !(Array.isArray(port[name]) && port[name].length === 0))
      findings.invalid(
        `${path}.${name}`,
        port[name],
        `${name} is not supported on a port whose network is found by filter`,
      );
  const fixedIPs = port.fixedIPs ?? [];
  if (!port.network && fixedIPs.length > 1)
    findings.invalid(`${path}.fixedIPs`, fixedIPs, 'a port without a network can have one subnet only');
  return {
    uuid: port.network?.id,
    filter: filterToMachineApi(port.network?.filter),
    subnets: fixedIPs.map(({ subnet, ipAddress }, index) => {
      const field = `${path}.fixedIPs[${index}]`;
      if (ipAddress)
        findings.invalid(
          `${field}.ipAddress`,
          ipAddress,
          'ipAddress is not supported on a port whose network is found by filter',
        );
      if (!subnet?.id && !selects(subnet?.filter))
        findings.required(`${field}.subnet`, 'A subnet must be referenced by a UUID or filter');
      return { uuid: subnet?.id, filter: subnetFilterToMachineApi(subnet?.filter) };
    }),
    portTags: port.tags,
    vnicType: port.vnicType,
    profile: profileToMachineApi(port.profile),
    portSecurity: port.disablePortSecurity === undefined ? undefined : !port.disablePortSecurity,
  };
}

function toPort(port: Port, path: string, findings: Findings): Draft<OpenstackPort> {
  if (!port.network?.id) findings.required(`${path}.network`, 'A port must have a reference to a network');
  return {
    networkID: port.network?.id,
    nameSuffix: port.nameSuffix,
    description: port.description,
    adminStateUp: port.adminStateUp,
    macAddress: port.macAddress,
    fixedIPs: port.fixedIPs?.map(({ subnet, ipAddress }, index) => {
      const field = `${path}.fixedIPs[${index}].subnet`;
      if (selects(subnet?.filter))
        findings.invalid(`${field}.filter`, subnet?.filter, 'MAPO only supports defining subnets via IDs');
      else if (!subnet?.id) findings.required(`${field}.id`, 'MAPO only supports defining subnets via IDs');
      return { subnetID: subnet?.id, ipAddress };
    }),
    securityGroups: port.securityGroups?.map((group, index) => {
      if (!group.id)
        findings.invalid(
          `${path}.securityGroups[${index}]`,
          group,
          'MAPO only supports defining port security groups by ID',
        );
      return group.id ?? '';
    }),
    allowedAddressPairs: port.allowedAddressPairs,
    tags: port.tags,
    vnicType: port.vnicType,
    profile: profileToMachineApi(port.profile),
    portSecurity: port.disablePortSecurity === undefined ? undefined : !port.disablePortSecurity,
    trunk: port.trunk,
  };
}

function profileToMachineApi({ ovsHWOffload, trustedVF }: NonNullable<Port['profile']> = {}) {
  return unlessEmpty({
    ...(ovsHWOffload ? { capabilities: 'switchdev' } : {}),
    ...(trustedVF ? { trusted: 'true' } : {}),
  });
}
