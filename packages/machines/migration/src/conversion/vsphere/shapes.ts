import type { VSphereMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import { always, boolean, list, map, number, object, pointer, raw, text } from '../../wire/shape.ts';
import type { VSphereMachineSpec } from './types.ts';

const secret = object({ name: text });

/** VSphereMachineProviderSpec as it is written. */
export const vsphereProviderSpec = object<VSphereMachineProviderSpec>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  userDataSecret: pointer(secret),
  credentialsSecret: pointer(secret),
  template: always(text),
  workspace: pointer(
    object({ server: text, datacenter: text, folder: text, datastore: text, resourcePool: text, vmGroup: text }),
  ),
  network: always(
    object({
      devices: always(
        list(
          object({
            networkName: text,
            gateway: text,
            ipAddrs: list(text),
            nameservers: list(text),
            addressesFromPools: list(object({ group: always(text), resource: always(text), name: always(text) })),
          }),
        ),
      ),
    }),
  ),
  numCPUs: number,
  numCoresPerSocket: number,
  memoryMiB: number,
  diskGiB: number,
  tagIDs: list(text),
  snapshot: always(text),
  cloneMode: text,
  dataDisks: list(object({ name: always(text), sizeGiB: always(number), provisioningMode: text })),
});

const device = object({
  networkName: always(text),
  deviceName: text,
  dhcp4: boolean,
  dhcp6: boolean,
  gateway4: text,
  gateway6: text,
  ipAddrs: list(text),
  mtu: pointer(number),
  macAddr: text,
  nameservers: list(text),
  routes: list(raw),
  searchDomains: list(text),
  addressesFromPools: list(object({ apiGroup: pointer(text), kind: always(text), name: always(text) })),
  dhcp4Overrides: pointer(raw),
  dhcp6Overrides: pointer(raw),
  skipIPAllocation: boolean,
});

/** The spec of a VSphereMachine as it is written. */
export const vsphereMachineSpec = object<VSphereMachineSpec>({
  template: always(text),
  cloneMode: text,
  snapshot: text,
  server: text,
  thumbprint: text,
  datacenter: text,
  folder: text,
  datastore: text,
  storagePolicyName: text,
  resourcePool: text,
  network: always(object({ devices: always(list(device)), routes: list(raw), preferredAPIServerCidr: text })),
  numCPUs: number,
  numCoresPerSocket: number,
  resources: map(raw),
  memoryMiB: number,
  diskGiB: number,
  additionalDisksGiB: list(number),
  customVMXKeys: map(text),
  tagIDs: list(text),
  pciDevices: list(raw),
  os: text,
  hardwareVersion: text,
  dataDisks: list(object({ name: text, sizeGiB: always(number), provisioningMode: text })),
  providerID: pointer(text),
  failureDomain: pointer(text),
  powerOffMode: text,
  guestSoftPowerOffTimeout: pointer(raw),
  namingStrategy: pointer(raw),
});
