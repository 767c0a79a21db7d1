import type { ProviderSpecType, SecretReference } from './references.ts';

interface AzureManagedDisk {
  readonly storageAccountType?: string;
  readonly diskEncryptionSet?: { readonly id?: string };
  readonly securityProfile?: {
    readonly diskEncryptionSet?: { readonly id?: string };
    readonly securityEncryptionType?: string;
  };
}

interface AzureUefiSettings {
  readonly uefiSettings?: {
    readonly secureBoot?: 'Enabled' | 'Disabled';
    readonly virtualizedTrustedPlatformModule?: 'Enabled' | 'Disabled';
  };
}

/** An Azure virtual machine as the Machine API describes it. */
export interface AzureMachineProviderSpec
  extends ProviderSpecType<
    'machine.openshift.io/v1beta1' | 'azureproviderconfig.openshift.io/v1beta1',
    'AzureMachineProviderSpec'
  > {
  readonly userDataSecret?: SecretReference;
  readonly credentialsSecret?: SecretReference;
  readonly location?: string;
  readonly vmSize?: string;
  readonly image: {
    readonly publisher: string;
    readonly offer: string;
    readonly sku: string;
    readonly version: string;
    readonly resourceID: string;
    readonly type?: 'MarketplaceWithPlan' | 'MarketplaceNoPlan';
  };
  readonly osDisk: {
    readonly osType: string;
    readonly diskSizeGB: number;
    readonly managedDisk: AzureManagedDisk;
    readonly cachingType?: string;
    readonly diskSettings?: { readonly ephemeralStorageLocation?: string };
  };
  readonly dataDisks?: readonly {
    readonly nameSuffix: string;
    readonly diskSizeGB: number;
    readonly lun?: number;
    readonly cachingType?: string;
    readonly managedDisk?: AzureManagedDisk;
    readonly deletionPolicy: 'Delete' | 'Detach';
  }[];
  readonly sshPublicKey?: string;
  readonly publicIP: boolean;
  readonly tags?: { readonly [key: string]: string };
  readonly securityGroup?: string;
  readonly applicationSecurityGroups?: readonly string[];
  readonly subnet: string;
  readonly publicLoadBalancer?: string;
  readonly internalLoadBalancer?: string;
  readonly natRule?: number;
  readonly managedIdentity?: string;
  readonly vnet?: string;
  readonly zone?: string;
  readonly networkResourceGroup?: string;
  readonly resourceGroup?: string;
  readonly spotVMOptions?: { readonly maxPrice?: number | string };
  readonly securityProfile?: {
    readonly encryptionAtHost?: boolean;
    readonly settings?: {
      readonly securityType?: string;
      readonly confidentialVM?: AzureUefiSettings;
      readonly trustedLaunch?: AzureUefiSettings;
    };
  };
  readonly ultraSSDCapability?: '' | 'Enabled' | 'Disabled';
  readonly acceleratedNetworking?: boolean;
  readonly availabilitySet?: string;
  readonly capacityReservationGroupID?: string;
  readonly diagnostics?: {
    readonly boot?: {
      readonly storageAccountType: 'AzureManaged' | 'CustomerManaged';
      readonly customerManaged?: { readonly storageAccountURI: string };
    };
  };
}
