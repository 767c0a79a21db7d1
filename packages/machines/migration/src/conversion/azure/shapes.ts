import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import { always, boolean, list, map, number, object, pointer, raw, text } from '../../wire/shape.ts';

const secret = object({ name: text, namespace: text });
const encryptionSet = object({ id: text });
const oldUefi = object({
  uefiSettings: always(object({ secureBoot: text, virtualizedTrustedPlatformModule: text })),
});

/** AzureMachineProviderSpec as it is written. */
export const azureProviderSpec = object<AzureMachineProviderSpec>({
  apiVersion: text,
  kind: text,
  metadata: map(raw),
  userDataSecret: pointer(secret),
  credentialsSecret: pointer(secret),
  location: text,
  vmSize: text,
  image: always(
    object({
      publisher: always(text),
      offer: always(text),
      sku: always(text),
      version: always(text),
      resourceID: always(text),
      type: text,
    }),
  ),
  osDisk: always(
    object({
      osType: always(text),
      managedDisk: always(
        object({
          storageAccountType: always(text),
          diskEncryptionSet: pointer(encryptionSet),
          securityProfile: always(object({ diskEncryptionSet: always(encryptionSet), securityEncryptionType: text })),
        }),
      ),
      diskSizeGB: always(number),
      diskSettings: always(object({ ephemeralStorageLocation: text })),
      cachingType: text,
    }),
  ),
  dataDisks: list(
    object({
      nameSuffix: always(text),
      diskSizeGB: always(number),
      managedDisk: always(object({ storageAccountType: always(text), diskEncryptionSet: pointer(encryptionSet) })),
      lun: always(number),
      cachingType: text,
      deletionPolicy: always(text),
    }),
  ),
  sshPublicKey: text,
  publicIP: always(boolean),
  tags: map(text),
  securityGroup: text,
  applicationSecurityGroups: list(text),
  subnet: always(text),
  publicLoadBalancer: text,
  internalLoadBalancer: text,
  natRule: pointer(number),
  managedIdentity: text,
  vnet: text,
  zone: text,
  networkResourceGroup: text,
  resourceGroup: text,
  spotVMOptions: pointer(object({ maxPrice: pointer(raw) })),
  securityProfile: pointer(
    object({
      encryptionAtHost: pointer(boolean),
      settings: always(
        object({ securityType: always(text), confidentialVM: pointer(oldUefi), trustedLaunch: pointer(oldUefi) }),
      ),
    }),
  ),
  ultraSSDCapability: text,
  acceleratedNetworking: boolean,
  availabilitySet: text,
  diagnostics: always(
    object({
      boot: pointer(
        object({
          storageAccountType: always(text),
          customerManaged: pointer(object({ storageAccountURI: always(text) })),
        }),
      ),
    }),
  ),
  capacityReservationGroupID: text,
});

const managedDisk = object({
  storageAccountType: text,
  diskEncryptionSet: pointer(encryptionSet),
  securityProfile: pointer(object({ diskEncryptionSet: pointer(encryptionSet), securityEncryptionType: text })),
});

const marketplaceImage = { publisher: always(text), offer: always(text), sku: always(text) };

/** The spec of an AzureMachine as it is written. */
export const azureMachineSpec = object<azurev1beta1.AzureMachineSpec>({
  providerID: pointer(text),
  vmSize: always(text),
  failureDomain: pointer(text),
  image: pointer(
    object({
      id: pointer(text),
      sharedGallery: pointer(raw),
      marketplace: pointer(object({ ...marketplaceImage, version: always(text), thirdPartyImage: always(boolean) })),
      computeGallery: pointer(raw),
    }),
  ),
  identity: text,
  userAssignedIdentities: list(object({ providerID: always(text) })),
  systemAssignedIdentityRole: pointer(object({ name: text, definitionID: text, scope: text })),
  roleAssignmentName: text,
  osDisk: always(
    object({
      osType: always(text),
      diskSizeGB: pointer(number),
      managedDisk: pointer(managedDisk),
      diffDiskSettings: pointer(object({ option: always(text), placement: pointer(text) })),
      cachingType: text,
    }),
  ),
  dataDisks: list(
    object({
      nameSuffix: always(text),
      diskSizeGB: always(number),
      managedDisk: pointer(managedDisk),
      lun: pointer(number),
      cachingType: text,
    }),
  ),
  sshPublicKey: text,
  additionalTags: map(text),
  additionalCapabilities: pointer(object({ ultraSSDEnabled: pointer(boolean) })),
  allocatePublicIP: boolean,
  enableIPForwarding: boolean,
  acceleratedNetworking: pointer(boolean),
  diagnostics: pointer(
    object({
      boot: pointer(
        object({
          storageAccountType: always(text),
          userManaged: pointer(object({ storageAccountURI: always(text) })),
        }),
      ),
    }),
  ),
  spotVMOptions: pointer(object({ maxPrice: pointer(raw), evictionPolicy: pointer(text) })),
  securityProfile: pointer(
    object({
      encryptionAtHost: pointer(boolean),
      securityType: text,
      uefiSettings: pointer(object({ secureBootEnabled: pointer(boolean), vTpmEnabled: pointer(boolean) })),
    }),
  ),
  subnetName: text,
  dnsServers: list(text),
  disableExtensionOperations: pointer(boolean),
  disableVMBootstrapExtension: pointer(boolean),
  vmExtensions: list(raw),
  networkInterfaces: list(
    object({ subnetName: text, privateIPConfigs: number, acceleratedNetworking: pointer(boolean) }),
  ),
  capacityReservationGroupID: pointer(text),
});
