import type { VSphereMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import { poolToClusterApi, poolToMachineApi } from './address-pools.ts';
import type { NetworkDevice } from './types.ts';

type OldDevice = VSphereMachineProviderSpec['network']['devices'][number];

export function devicesToClusterApi(
  devices: readonly OldDevice[],
  path: string,
  findings: Findings,
): readonly Draft<NetworkDevice>[] {
  return devices.map(({ networkName, gateway, ipAddrs, nameservers, addressesFromPools }, index) => {
    const field = `${path}[${index}]`;
    if (!networkName) findings.required(`${field}.networkName`, 'networkName is required');
    const isV6 = gateway?.includes(':') ?? false;
    return {
      networkName: networkName ?? '',
      // Without an address of its own a machine asks for one; Cluster API wants that said.
      dhcp4: !ipAddrs?.length && !addressesFromPools?.length,
      gateway4: isV6 ? undefined : gateway,
      gateway6: isV6 ? gateway : undefined,
      ipAddrs,
      nameservers,
      addressesFromPools: addressesFromPools?.map((pool, position) =>
        poolToClusterApi(pool, `${field}.addressesFromPools[${position}]`, findings),
      ),
    };
  });
}

export function devicesToMachineApi(
  devices: readonly NetworkDevice[],
  path: string,
  findings: Findings,
): readonly Draft<OldDevice>[] {
  return devices.map((device, index) => {
    const field = `${path}[${index}]`;
    refuse(device, field, findings);
    return {
      networkName: device.networkName,
      gateway: device.gateway4 ?? device.gateway6,
      ipAddrs: device.ipAddrs,
      nameservers: device.nameservers,
      addressesFromPools: device.addressesFromPools?.map((pool, position) =>
        poolToMachineApi(pool, `${field}.addressesFromPools[${position}]`, findings),
      ),
    };
  });
}

function refuse(device: NetworkDevice, path: string, findings: Findings): void {
  findings.unsupported(path, device, {
    deviceName: 'deviceName is not supported',
    mtu: 'mtu is not supported',
    macAddr: 'macAddr is not supported',
    routes: 'routes are not supported',
    searchDomains: 'searchDomains are not supported',
    dhcp6: 'dhcp6 is not supported',
    dhcp4Overrides: 'dhcp4Overrides are not supported',
    dhcp6Overrides: 'dhcp6Overrides are not supported',
    skipIPAllocation: 'skipIPAllocation is not supported',
  });
  if (device.gateway4 && device.gateway6)
    findings.invalid(`${path}.gateway6`, device.gateway6, 'one gateway is supported only');
  const hasAddress = Boolean(device.ipAddrs?.length || device.addressesFromPools?.length);
  if (Boolean(device.dhcp4) === hasAddress)
    findings.invalid(
      `${path}.dhcp4`,
      device.dhcp4 ?? false,
      'MAPI uses DHCP exactly where neither addresses nor pools are given',
    );
}
