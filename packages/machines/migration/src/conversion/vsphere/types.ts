import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { infrastructureGroup } from '../names.ts';

/** One network interface of a VSphereMachine. */
export interface NetworkDevice {
  readonly networkName: string;
  readonly deviceName?: string;
  readonly dhcp4?: boolean;
  readonly dhcp6?: boolean;
  readonly gateway4?: string;
  readonly gateway6?: string;
  readonly ipAddrs?: readonly string[];
  readonly mtu?: number;
  readonly macAddr?: string;
  readonly nameservers?: readonly string[];
  readonly routes?: readonly object[];
  readonly searchDomains?: readonly string[];
  readonly addressesFromPools?: readonly PoolReference[];
  readonly dhcp4Overrides?: object;
  readonly dhcp6Overrides?: object;
  readonly skipIPAllocation?: boolean;
}

export interface PoolReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** The spec of a VSphereMachine, version v1beta1. */
export interface VSphereMachineSpec {
  readonly template: string;
  readonly cloneMode?: string;
  readonly snapshot?: string;
  readonly server?: string;
  readonly thumbprint?: string;
  readonly datacenter?: string;
  readonly folder?: string;
  readonly datastore?: string;
  readonly storagePolicyName?: string;
  readonly resourcePool?: string;
  readonly network: {
    readonly devices: readonly NetworkDevice[];
    readonly routes?: readonly object[];
    readonly preferredAPIServerCidr?: string;
  };
  readonly numCPUs?: number;
  readonly numCoresPerSocket?: number;
  readonly resources?: object;
  readonly memoryMiB?: number;
  readonly diskGiB?: number;
  readonly additionalDisksGiB?: readonly number[];
  readonly customVMXKeys?: { readonly [key: string]: string };
  readonly tagIDs?: readonly string[];
  readonly pciDevices?: readonly object[];
  readonly os?: string;
  readonly hardwareVersion?: string;
  readonly dataDisks?: readonly {
    readonly name?: string;
    readonly sizeGiB: number;
    readonly provisioningMode?: string;
  }[];
  readonly providerID?: string;
  readonly failureDomain?: string;
  readonly powerOffMode?: string;
  readonly guestSoftPowerOffTimeout?: string;
  readonly namingStrategy?: object;
}

export interface VSphereMachineStatus {
  readonly ready?: boolean;
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
}

export interface VSphereCluster extends KubeObject {
  readonly spec?: { readonly server?: string };
}

const type = (kind: string): ResourceType<KubeObject> => ({
  group: infrastructureGroup,
  version: 'v1beta1',
  kind,
  resource: `${kind.toLowerCase()}s`,
  namespaced: true,
});

export const vspheremachines: ResourceType<KubeObject> = type('VSphereMachine');
export const vspheremachinetemplates: ResourceType<KubeObject> = type('VSphereMachineTemplate');
export const vsphereclusters: ResourceType<KubeObject> = type('VSphereCluster');
