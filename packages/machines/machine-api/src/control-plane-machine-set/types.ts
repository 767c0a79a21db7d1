/** The set of control plane machines of a cluster that manages its own control plane. */
import type { Condition, KubeObject, metav1, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '../generated/index.ts';

export interface FailureDomains {
  readonly platform: string;
  readonly aws?: readonly {
    readonly subnet?: AWSSubnetReference;
    readonly placement?: { readonly availabilityZone: string };
  }[];
  readonly azure?: readonly { readonly zone: string; readonly subnet?: string }[];
  readonly gcp?: readonly { readonly zone: string }[];
  readonly openstack?: readonly {
    readonly availabilityZone?: string;
    readonly rootVolume?: { readonly availabilityZone?: string; readonly volumeType: string };
  }[];
  readonly vsphere?: readonly { readonly name: string }[];
  readonly nutanix?: readonly { readonly name: string }[];
}

interface AWSSubnetReference {
  readonly type: 'ID' | 'ARN' | 'Filters';
  readonly id?: string;
  readonly arn?: string;
  readonly filters?: readonly { readonly name: string; readonly values?: readonly string[] }[];
}

export interface ControlPlaneMachineSetSpec {
  readonly machineNamePrefix?: string;
  readonly state?: 'Active' | 'Inactive';
  readonly replicas: number;
  readonly strategy?: { readonly type?: 'RollingUpdate' | 'Recreate' | 'OnDelete' };
  readonly selector: metav1.LabelSelector;
  readonly template: {
    readonly machineType: 'machines_v1beta1_machine_openshift_io';
    readonly machines_v1beta1_machine_openshift_io?: {
      readonly failureDomains?: FailureDomains;
      readonly metadata: {
        readonly labels: { readonly [key: string]: string };
        readonly annotations?: { readonly [key: string]: string };
      };
      readonly spec: mapiv1beta1.MachineSpec;
    };
  };
}

export interface ControlPlaneMachineSet extends KubeObject {
  readonly spec: ControlPlaneMachineSetSpec;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly unavailableReplicas?: number;
  };
}

export const controlplanemachinesets: ResourceType<ControlPlaneMachineSet> = {
  group: 'machine.openshift.io',
  version: 'v1',
  kind: 'ControlPlaneMachineSet',
  resource: 'controlplanemachinesets',
  namespaced: true,
};
