import type { metav1 } from '@hypershift-ts/kube-apimachinery';
import type { ProviderSpecType, SecretReference } from './references.ts';

interface PowerVSResource {
  readonly type?: 'ID' | 'Name' | 'RegEx';
  readonly id?: string;
  readonly name?: string;
  readonly regex?: string;
}

/** A Power virtual server as the Machine API describes it. */
export interface PowerVSMachineProviderConfig
  extends ProviderSpecType<'machine.openshift.io/v1', 'PowerVSMachineProviderConfig'> {
  readonly userDataSecret?: SecretReference;
  readonly credentialsSecret?: SecretReference;
  readonly serviceInstance: PowerVSResource;
  readonly image: PowerVSResource;
  readonly network: PowerVSResource;
  readonly keyPairName: string;
  readonly systemType?: string;
  readonly processorType?: '' | 'Dedicated' | 'Shared' | 'Capped';
  readonly processors?: number | string;
  readonly memoryGiB?: number;
  readonly loadBalancers?: readonly { readonly name: string; readonly type?: string }[];
}

/** A virtual machine of vSphere as the Machine API describes it. */
export interface VSphereMachineProviderSpec
  extends ProviderSpecType<
    'machine.openshift.io/v1beta1' | 'vsphereprovider.openshift.io/v1beta1',
    'VSphereMachineProviderSpec'
  > {
  readonly userDataSecret?: SecretReference;
  readonly credentialsSecret?: SecretReference;
  readonly template: string;
  readonly workspace?: {
    readonly server?: string;
    readonly datacenter?: string;
    readonly folder?: string;
    readonly datastore?: string;
    readonly resourcePool?: string;
    readonly vmGroup?: string;
  };
  readonly network: {
    readonly devices: readonly {
      readonly networkName?: string;
      readonly gateway?: string;
      readonly ipAddrs?: readonly string[];
      readonly nameservers?: readonly string[];
      readonly addressesFromPools?: readonly {
        readonly group: string;
        readonly resource: string;
        readonly name: string;
      }[];
    }[];
  };
  readonly numCPUs?: number;
  readonly numCoresPerSocket?: number;
  readonly memoryMiB?: number;
  readonly diskGiB?: number;
  readonly tagIDs?: readonly string[];
  readonly snapshot?: string;
  readonly cloneMode?: '' | 'fullClone' | 'linkedClone';
  readonly dataDisks?: readonly {
    readonly name: string;
    readonly sizeGiB: number;
    readonly provisioningMode?: 'Thin' | 'Thick' | 'EagerlyZeroed';
  }[];
}

/** A host of bare metal as the Machine API describes it. */
export interface BareMetalMachineProviderSpec
  extends ProviderSpecType<'baremetal.cluster.k8s.io/v1alpha1', 'BareMetalMachineProviderSpec'> {
  readonly image: { readonly url: string; readonly checksum: string };
  readonly customDeploy?: { readonly method: string };
  readonly userData?: SecretReference;
  readonly hostSelector?: metav1.LabelSelector;
}
