import type { OpenstackProviderSpec } from '@hypershift-ts/machines-machine-api';
import { always, boolean, list, map, number, object, pointer, raw, text } from '../../wire/shape.ts';
import type { OpenStackMachineSpec } from './types.ts';

const secret = object({ name: text, namespace: text });

/** Paging and sorting mean nothing for a filter; they are read because old objects carry them. */
const paging = { limit: number, marker: text, sortKey: text, sortDir: text };
const oldTags = { tags: text, tagsAny: text, notTags: text, notTagsAny: text };
const oldFilter = { id: text, name: text, description: text, tenantId: text, projectId: text };

const network = object({
  uuid: text,
  fixedIp: text,
  filter: always(
    object({
      ...oldFilter,
      ...oldTags,
      status: text,
      adminStateUp: pointer(boolean),
      shared: pointer(boolean),
      ...paging,
    }),
  ),
  subnets: list(
    object({
      uuid: text,
      filter: always(
        object({
          ...oldFilter,
          networkId: text,
          ipVersion: number,
          gateway_ip: text,
          cidr: text,
          ipv6AddressMode: text,
          ipv6RaMode: text,
          subnetpoolId: text,
          ...oldTags,
          enableDhcp: pointer(boolean),
          ...paging,
        }),
      ),
      portTags: list(text),
      portSecurity: pointer(boolean),
    }),
  ),
  noAllowedAddressPairs: boolean,
  portTags: list(text),
  vnicType: text,
  profile: map(text),
  portSecurity: pointer(boolean),
});

const oldPort = object({
  networkID: always(text),
  nameSuffix: text,
  description: text,
  adminStateUp: pointer(boolean),
  macAddress: text,
  fixedIPs: list(object({ subnetID: always(text), ipAddress: text })),
  tenantID: text,
  projectID: text,
  securityGroups: pointer(list(text)),
  allowedAddressPairs: list(object({ ipAddress: text, macAddress: text })),
  tags: list(text),
  vnicType: text,
  profile: map(text),
  portSecurity: pointer(boolean),
  trunk: pointer(boolean),
  hostID: text,
});

/** OpenstackProviderSpec as it is written. */
export const openstackProviderSpec = object<OpenstackProviderSpec>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  cloudsSecret: pointer(secret),
  cloudName: always(text),
  flavor: always(text),
  image: always(text),
  keyName: text,
  sshUserName: text,
  networks: list(network),
  ports: list(oldPort),
  floatingIP: text,
  availabilityZone: text,
  securityGroups: list(
    object({ uuid: text, name: text, filter: always(object({ ...oldFilter, ...oldTags, ...paging })) }),
  ),
  userDataSecret: pointer(secret),
  trunk: boolean,
  tags: list(text),
  serverMetadata: map(text),
  configDrive: pointer(boolean),
  rootVolume: pointer(
    object({
      sourceUUID: text,
      volumeType: text,
      diskSize: number,
      availabilityZone: text,
      sourceType: text,
      deviceType: text,
    }),
  ),
  additionalBlockDevices: list(
    object({
      name: always(text),
      sizeGiB: always(number),
      storage: always(object({ type: always(text), volume: pointer(object({ type: text, availabilityZone: text })) })),
    }),
  ),
  serverGroupID: text,
  serverGroupName: text,
  primarySubnet: text,
});

const filterTags = { tags: list(text), tagsAny: list(text), notTags: list(text), notTagsAny: list(text) };
const filter = object({ name: text, description: text, projectID: text, ...filterTags });
const reference = object({ id: pointer(text), filter: pointer(filter) });

const subnet = object({
  id: pointer(text),
  filter: pointer(
    object({
      name: text,
      description: text,
      projectID: text,
      ipVersion: number,
      gatewayIP: text,
      cidr: text,
      ipv6AddressMode: text,
      ipv6RAMode: text,
      ...filterTags,
    }),
  ),
});

const zone = object({ from: text, name: pointer(text) });

const port = object({
  network: pointer(reference),
  description: pointer(text),
  nameSuffix: pointer(text),
  fixedIPs: list(object({ subnet: pointer(subnet), ipAddress: pointer(text) })),
  securityGroups: list(reference),
  tags: list(text),
  trunk: pointer(boolean),
  adminStateUp: pointer(boolean),
  macAddress: pointer(text),
  allowedAddressPairs: list(object({ ipAddress: always(text), macAddress: pointer(text) })),
  hostID: pointer(text),
  vnicType: pointer(text),
  profile: pointer(object({ ovsHWOffload: pointer(boolean), trustedVF: pointer(boolean) })),
  disablePortSecurity: pointer(boolean),
  propagateUplinkStatus: pointer(boolean),
  valueSpecs: list(object({ name: always(text), key: always(text), value: always(text) })),
});

/** The spec of an OpenStackMachine as it is written. */
export const openstackMachineSpec = object<OpenStackMachineSpec>({
  providerID: pointer(text),
  flavor: pointer(text),
  flavorID: pointer(text),
  image: always(
    object({
      id: pointer(text),
      filter: pointer(object({ name: pointer(text), tags: list(text) })),
      imageRef: pointer(object({ name: always(text) })),
    }),
  ),
  sshKeyName: text,
  ports: list(port),
  securityGroups: list(reference),
  trunk: boolean,
  tags: list(text),
  serverMetadata: list(object({ key: always(text), value: always(text) })),
  configDrive: pointer(boolean),
  rootVolume: pointer(object({ sizeGiB: always(number), type: text, availabilityZone: pointer(zone) })),
  additionalBlockDevices: list(
    object({
      name: always(text),
      sizeGiB: always(number),
      storage: always(
        object({ type: always(text), volume: pointer(object({ type: text, availabilityZone: pointer(zone) })) }),
      ),
    }),
  ),
  serverGroup: pointer(object({ id: pointer(text), filter: pointer(object({ name: pointer(text) })) })),
  identityRef: pointer(object({ type: text, name: always(text), cloudName: always(text), region: text })),
  floatingIPPoolRef: pointer(object({ apiGroup: pointer(text), kind: always(text), name: always(text) })),
  schedulerHintAdditionalProperties: list(
    object({
      name: always(text),
      value: always(
        object({ type: always(text), bool: pointer(boolean), number: pointer(number), string: pointer(text) }),
      ),
    }),
  ),
});
