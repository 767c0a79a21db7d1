import type { AWSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { always, boolean, list, map, number, object, pointer, raw, text } from '../../wire/shape.ts';

const tags = list(object({ name: always(text), value: always(text) }));

const resource = object({
  id: pointer(text),
  arn: pointer(text),
  filters: list(object({ name: always(text), values: list(text) })),
});

const blockDevice = object({
  deviceName: pointer(text),
  ebs: pointer(
    object({
      deleteOnTermination: pointer(boolean),
      encrypted: pointer(boolean),
      kmsKey: always(resource),
      iops: pointer(number),
      throughputMib: pointer(number),
      volumeSize: pointer(number),
      volumeType: pointer(text),
    }),
  ),
  noDevice: pointer(text),
  virtualName: pointer(text),
});

const host = object({
  affinity: pointer(text),
  dedicatedHost: pointer(
    object({
      allocationStrategy: pointer(text),
      id: text,
      dynamicHostAllocation: pointer(object({ tags: pointer(tags) })),
    }),
  ),
});

/** AWSMachineProviderConfig as it is written. */
export const awsProviderSpec = object<AWSMachineProviderConfig>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  ami: always(resource),
  instanceType: always(text),
  cpuOptions: pointer(object({ confidentialCompute: pointer(text) })),
  tags,
  iamInstanceProfile: pointer(resource),
  userDataSecret: pointer(object({ name: text })),
  credentialsSecret: pointer(object({ name: text })),
  keyName: pointer(text),
  deviceIndex: always(number),
  publicIp: pointer(boolean),
  networkInterfaceType: text,
  securityGroups: list(resource),
  subnet: always(resource),
  placement: always(object({ region: text, availabilityZone: text, tenancy: text, host: pointer(host) })),
  loadBalancers: list(object({ name: always(text), type: always(text) })),
  blockDevices: list(blockDevice),
  spotMarketOptions: pointer(object({ maxPrice: pointer(text) })),
  metadataServiceOptions: always(object({ authentication: text })),
  placementGroupName: text,
  placementGroupPartition: pointer(number),
  capacityReservationId: always(text),
  marketType: text,
});

const reference = object({
  id: pointer(text),
  filters: list(object({ name: always(text), values: always(list(text)) })),
});

const volume = object({
  deviceName: text,
  size: always(number),
  type: text,
  iops: number,
  throughput: pointer(number),
  encrypted: pointer(boolean),
  encryptionKey: text,
});

/** The spec of an AWSMachine as it is written. */
export const awsMachineSpec = object<awsv1beta2.AWSMachineSpec>({
  providerID: pointer(text),
  instanceID: pointer(text),
  instanceMetadataOptions: pointer(
    object({
      httpEndpoint: text,
      httpProtocolIpv6: text,
      httpPutResponseHopLimit: number,
      httpTokens: text,
      instanceMetadataTags: text,
    }),
  ),
  ami: always(object({ id: pointer(text), eksLookupType: pointer(text) })),
  imageLookupFormat: text,
  imageLookupOrg: text,
  imageLookupBaseOS: text,
  instanceType: always(text),
  cpuOptions: object({ confidentialCompute: text }),
  additionalTags: map(text),
  iamInstanceProfile: text,
  publicIP: pointer(boolean),
  elasticIpPool: pointer(object({ publicIpv4Pool: pointer(text), publicIpv4PoolFallbackOrder: pointer(text) })),
  additionalSecurityGroups: list(reference),
  subnet: pointer(reference),
  securityGroupOverrides: map(text),
  sshKeyName: pointer(text),
  rootVolume: pointer(volume),
  nonRootVolumes: list(volume),
  networkInterfaces: list(text),
  networkInterfaceType: text,
  assignPrimaryIPv6: pointer(text),
  uncompressedUserData: pointer(boolean),
  cloudInit: always(
    object({
      insecureSkipSecretsManager: boolean,
      secretCount: number,
      secretPrefix: text,
      secureSecretsBackend: text,
    }),
  ),
  ignition: pointer(
    object({
      version: text,
      storageType: text,
      proxy: pointer(object({ httpProxy: pointer(text), httpsProxy: pointer(text), noProxy: list(text) })),
      tls: pointer(object({ certificateAuthorities: list(text) })),
    }),
  ),
  spotMarketOptions: pointer(object({ maxPrice: pointer(text) })),
  placementGroupName: text,
  placementGroupPartition: number,
  tenancy: text,
  privateDnsName: pointer(
    object({
      enableResourceNameDnsAAAARecord: pointer(boolean),
      enableResourceNameDnsARecord: pointer(boolean),
      hostnameType: pointer(text),
    }),
  ),
  capacityReservationId: pointer(text),
  marketType: text,
  hostID: pointer(text),
  hostAffinity: pointer(text),
  dynamicHostAllocation: pointer(object({ tags: map(text) })),
  capacityReservationPreference: text,
});
