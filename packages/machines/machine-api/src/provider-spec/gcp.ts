import type { ProviderSpecType, SecretReference } from './references.ts';

interface GCPDisk {
  readonly autoDelete: boolean;
  readonly boot: boolean;
  readonly sizeGb: number;
  readonly type: string;
  readonly image?: string;
  readonly labels?: { readonly [key: string]: string } | null;
  readonly encryptionKey?: {
    readonly kmsKey?: {
      readonly name: string;
      readonly keyRing: string;
      readonly projectID?: string;
      readonly location: string;
    };
    readonly kmsKeyServiceAccount?: string;
  };
}

/** A Compute Engine instance as the Machine API describes it. */
export interface GCPMachineProviderSpec
  extends ProviderSpecType<
    'machine.openshift.io/v1beta1' | 'gcpprovider.openshift.io/v1beta1',
    'GCPMachineProviderSpec'
  > {
  readonly userDataSecret?: SecretReference;
  readonly credentialsSecret?: SecretReference;
  readonly canIPForward: boolean;
  readonly deletionProtection: boolean;
  readonly disks?: readonly GCPDisk[];
  readonly labels?: { readonly [key: string]: string };
  readonly gcpMetadata?: readonly { readonly key: string; readonly value?: string }[];
  readonly networkInterfaces?: readonly {
    readonly publicIP?: boolean;
    readonly network?: string;
    readonly projectID?: string;
    readonly subnetwork?: string;
  }[];
  readonly serviceAccounts?: readonly { readonly email: string; readonly scopes: readonly string[] }[];
  readonly tags?: readonly string[];
  readonly targetPools?: readonly string[];
  readonly machineType: string;
  readonly region: string;
  readonly zone: string;
  readonly projectID?: string;
  readonly gpus?: readonly { readonly count: number; readonly type: string }[];
  readonly preemptible?: boolean;
  readonly provisioningModel?: 'Spot';
  readonly onHostMaintenance?: '' | 'Migrate' | 'Terminate';
  readonly restartPolicy?: '' | 'Always' | 'Never';
  readonly shieldedInstanceConfig?: {
    readonly secureBoot?: 'Enabled' | 'Disabled';
    readonly virtualizedTrustedPlatformModule?: 'Enabled' | 'Disabled';
    readonly integrityMonitoring?: 'Enabled' | 'Disabled';
  };
  readonly confidentialCompute?: string;
  readonly resourceManagerTags?: readonly { readonly parentID: string; readonly key: string; readonly value: string }[];
}
