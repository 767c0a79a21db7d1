import type { KubeObject, metav1, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { infrastructureGroup } from '../names.ts';

interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

/** The spec of a Metal3Machine, version v1beta1. */
export interface Metal3MachineSpec {
  readonly providerID?: string;
  readonly image?: {
    readonly url: string;
    readonly checksum: string;
    readonly checksumType?: string;
    readonly format?: string;
  };
  readonly customDeploy?: { readonly method: string };
  readonly userData?: SecretReference;
  readonly hostSelector?: metav1.LabelSelector;
  readonly dataTemplate?: object;
  readonly metaData?: SecretReference;
  readonly networkData?: SecretReference;
  readonly automatedCleaningMode?: string;
}

export interface Metal3Cluster extends KubeObject {
  readonly spec?: object;
}

const type = (kind: string): ResourceType<KubeObject> => ({
  group: infrastructureGroup,
  version: 'v1beta1',
  kind,
  resource: `${kind.toLowerCase()}s`,
  namespaced: true,
});

export const metal3machines: ResourceType<KubeObject> = type('Metal3Machine');
export const metal3machinetemplates: ResourceType<KubeObject> = type('Metal3MachineTemplate');
export const metal3clusters: ResourceType<KubeObject> = type('Metal3Cluster');
