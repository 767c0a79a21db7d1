import type { ProviderSpecType, SecretReference } from './references.ts';

/** Something of OpenStack found by its properties; fields not named here are filters too. */
export interface OpenstackFilter {
  readonly id?: string;
  readonly name?: string;
  readonly tags?: string;
  readonly tagsAny?: string;
  readonly notTags?: string;
  readonly notTagsAny?: string;
  readonly projectId?: string;
  readonly tenantId?: string;
  readonly description?: string;
  readonly [filter: string]: unknown;
}

export interface OpenstackNetwork {
  readonly uuid?: string;
  readonly fixedIp?: string;
  readonly filter?: OpenstackFilter;
  readonly subnets?: readonly {
    readonly uuid?: string;
    readonly filter?: OpenstackFilter;
    readonly portTags?: readonly string[];
    readonly portSecurity?: boolean;
  }[];
  readonly noAllowedAddressPairs?: boolean;
  readonly portTags?: readonly string[];
  readonly vnicType?: string;
  readonly profile?: { readonly [key: string]: string };
  readonly portSecurity?: boolean;
}

export interface OpenstackPort {
  readonly networkID: string;
  readonly nameSuffix?: string;
  readonly description?: string;
  readonly adminStateUp?: boolean;
  readonly macAddress?: string;
  readonly fixedIPs?: readonly { readonly subnetID: string; readonly ipAddress?: string }[];
  readonly tenantID?: string;
  readonly projectID?: string;
  readonly securityGroups?: readonly string[];
  readonly allowedAddressPairs?: readonly { readonly ipAddress?: string; readonly macAddress?: string }[];
  readonly tags?: readonly string[];
  readonly vnicType?: string;
  readonly profile?: { readonly [key: string]: string };
  readonly portSecurity?: boolean;
  readonly trunk?: boolean;
  readonly hostID?: string;
}

/** A server of OpenStack as the Machine API describes it. */
export interface OpenstackProviderSpec
  extends ProviderSpecType<
    'machine.openshift.io/v1alpha1' | 'openstackproviderconfig.openshift.io/v1alpha1',
    'OpenstackProviderSpec'
  > {
  readonly cloudsSecret?: SecretReference;
  readonly cloudName: string;
  readonly flavor: string;
  readonly image: string;
  readonly keyName?: string;
  readonly sshUserName?: string;
  readonly networks?: readonly OpenstackNetwork[];
  readonly ports?: readonly OpenstackPort[];
  readonly floatingIP?: string;
  readonly availabilityZone?: string;
  readonly securityGroups?: readonly {
    readonly uuid?: string;
    readonly name?: string;
    readonly filter?: OpenstackFilter;
  }[];
  readonly userDataSecret?: SecretReference;
  readonly trunk?: boolean;
  readonly tags?: readonly string[];
  readonly serverMetadata?: { readonly [key: string]: string };
  readonly configDrive?: boolean;
  readonly rootVolume?: {
    readonly sourceUUID?: string;
    readonly volumeType?: string;
    readonly diskSize?: number;
    readonly availabilityZone?: string;
    readonly sourceType?: string;
    readonly deviceType?: string;
  };
  readonly additionalBlockDevices?: readonly {
    readonly name: string;
    readonly sizeGiB: number;
    readonly storage: {
      readonly type: 'Volume' | 'Local';
      readonly volume?: { readonly type?: string; readonly availabilityZone?: string };
    };
  }[];
  readonly serverGroupID?: string;
  readonly serverGroupName?: string;
  readonly primarySubnet?: string;
}
