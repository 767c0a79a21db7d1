import type { ProviderSpecType, SecretReference } from './references.ts';

/** One resource of AWS by id, by ARN or by filters. */
export interface AWSResourceReference {
  readonly id?: string;
  readonly arn?: string;
  readonly filters?: readonly { readonly name: string; readonly values?: readonly string[] }[];
}

export interface AWSBlockDevice {
  readonly deviceName?: string;
  readonly noDevice?: string;
  readonly virtualName?: string;
  readonly ebs?: {
    readonly deleteOnTermination?: boolean;
    readonly encrypted?: boolean;
    readonly kmsKey?: AWSResourceReference;
    readonly iops?: number;
    readonly throughputMib?: number;
    readonly volumeSize?: number;
    readonly volumeType?: string;
  };
}

/** An EC2 instance as the Machine API describes it. Older objects say awsproviderconfig.openshift.io. */
export interface AWSMachineProviderConfig
  extends ProviderSpecType<
    'machine.openshift.io/v1beta1' | 'awsproviderconfig.openshift.io/v1beta1',
    'AWSMachineProviderConfig'
  > {
  readonly ami: AWSResourceReference;
  readonly instanceType: string;
  readonly cpuOptions?: { readonly confidentialCompute?: 'Disabled' | 'AMDEncryptedVirtualizationNestedPaging' };
  readonly tags?: readonly { readonly name: string; readonly value: string }[];
  readonly iamInstanceProfile?: AWSResourceReference;
  readonly userDataSecret?: SecretReference;
  readonly credentialsSecret?: SecretReference;
  readonly keyName?: string;
  readonly deviceIndex?: number;
  readonly publicIp?: boolean;
  readonly networkInterfaceType?: '' | 'ENA' | 'EFA';
  readonly securityGroups?: readonly AWSResourceReference[];
  readonly subnet?: AWSResourceReference;
  readonly placement?: {
    readonly region?: string;
    readonly availabilityZone?: string;
    readonly tenancy?: string;
    readonly host?: {
      readonly affinity?: 'AnyAvailable' | 'DedicatedHost';
      readonly dedicatedHost?: {
        readonly allocationStrategy?: 'UserProvided' | 'Dynamic';
        readonly id?: string;
        readonly dynamicHostAllocation?: {
          readonly tags?: readonly { readonly name: string; readonly value: string }[];
        };
      };
    };
  };
  readonly loadBalancers?: readonly { readonly name: string; readonly type: 'classic' | 'network' }[];
  readonly blockDevices?: readonly AWSBlockDevice[];
  readonly spotMarketOptions?: { readonly maxPrice?: string };
  readonly metadataServiceOptions?: { readonly authentication?: '' | 'Required' | 'Optional' };
  readonly placementGroupName?: string;
  readonly placementGroupPartition?: number;
  readonly capacityReservationId?: string;
  readonly marketType?: '' | 'OnDemand' | 'Spot' | 'CapacityBlock';
}
