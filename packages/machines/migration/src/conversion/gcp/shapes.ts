import type { GCPMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { gcpv1beta1 } from '@hypershift-ts/machines-providers';
import { always, boolean, list, map, number, object, pointer, raw, text } from '../../wire/shape.ts';

const secret = object({ name: text });
const shielded = object({ secureBoot: text, virtualizedTrustedPlatformModule: text, integrityMonitoring: text });
const managerTags = list(object({ parentID: always(text), key: always(text), value: always(text) }));

const disk = object({
  autoDelete: always(boolean),
  boot: always(boolean),
  sizeGb: always(number),
  type: always(text),
  image: always(text),
  labels: always(map(text)),
  encryptionKey: pointer(
    object({
      kmsKey: pointer(object({ name: always(text), keyRing: always(text), projectID: text, location: always(text) })),
      kmsKeyServiceAccount: text,
    }),
  ),
});

/** GCPMachineProviderSpec as it is written. */
export const gcpProviderSpec = object<GCPMachineProviderSpec>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  userDataSecret: pointer(secret),
  credentialsSecret: pointer(secret),
  canIPForward: always(boolean),
  deletionProtection: always(boolean),
  disks: list(disk),
  labels: map(text),
  gcpMetadata: list(object({ key: always(text), value: pointer(text) })),
  networkInterfaces: list(object({ publicIP: boolean, network: text, projectID: text, subnetwork: text })),
  serviceAccounts: always(list(object({ email: always(text), scopes: always(list(text)) }))),
  tags: list(text),
  targetPools: list(text),
  machineType: always(text),
  region: always(text),
  zone: always(text),
  projectID: text,
  gpus: list(object({ count: always(number), type: always(text) })),
  preemptible: boolean,
  provisioningModel: pointer(text),
  onHostMaintenance: text,
  restartPolicy: text,
  shieldedInstanceConfig: always(shielded),
  confidentialCompute: text,
  resourceManagerTags: managerTags,
});

const encryptionKey = object({
  keyType: always(text),
  kmsKeyServiceAccount: pointer(text),
  managedKey: pointer(object({ kmsKeyName: text })),
  suppliedKey: pointer(object({ rawKey: text, rsaEncryptedKey: text })),
});

/** The spec of a GCPMachine as it is written. */
export const gcpMachineSpec = object<gcpv1beta1.GCPMachineSpec>({
  instanceType: always(text),
  subnet: pointer(text),
  aliasIPRanges: list(object({ ipCidrRange: always(text), subnetworkRangeName: text })),
  providerID: pointer(text),
  imageFamily: pointer(text),
  image: pointer(text),
  additionalLabels: map(text),
  additionalMetadata: list(object({ key: always(text), value: pointer(text) })),
  publicIP: pointer(boolean),
  additionalNetworkTags: list(text),
  resourceManagerTags: managerTags,
  rootDeviceSize: number,
  rootDeviceType: pointer(text),
  additionalDisks: list(
    object({ deviceType: pointer(text), size: pointer(number), encryptionKey: pointer(encryptionKey) }),
  ),
  serviceAccounts: pointer(object({ email: text, scopes: list(text) })),
  preemptible: boolean,
  provisioningModel: pointer(text),
  ipForwarding: pointer(text),
  shieldedInstanceConfig: pointer(shielded),
  onHostMaintenance: pointer(text),
  confidentialCompute: pointer(text),
  rootDiskEncryptionKey: pointer(encryptionKey),
  guestAccelerators: list(object({ count: number, type: text })),
});
