import type { Condition, corev1, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';

/** The parts of Cluster API's objects that an infrastructure provider reads. */
export interface OwnerMachine extends KubeObject {
  readonly spec: {
    readonly clusterName: string;
    readonly bootstrap: { readonly dataSecretName?: string };
    readonly infrastructureRef: corev1.ObjectReference;
    readonly failureDomain?: string;
    readonly version?: string;
  };
}

export interface OwnerCluster extends KubeObject {
  readonly spec?: { readonly paused?: boolean };
  readonly status?: { readonly infrastructureReady?: boolean };
}

const group = 'cluster.x-k8s.io';
const version = 'v1beta1';

export const ownerMachines: ResourceType<OwnerMachine> = {
  group,
  version,
  kind: 'Machine',
  resource: 'machines',
  namespaced: true,
};
export const ownerClusters: ResourceType<OwnerCluster> = {
  group,
  version,
  kind: 'Cluster',
  resource: 'clusters',
  namespaced: true,
};

export const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';
export const pausedAnnotation = 'cluster.x-k8s.io/paused';

/** What every infrastructure machine has, whatever its provider. */
export interface InfraMachine extends KubeObject {
  readonly spec?: { readonly providerID?: string; readonly [field: string]: unknown };
  readonly status?: {
    readonly ready?: boolean;
    readonly addresses?: readonly corev1.NodeAddress[];
    readonly conditions?: readonly Condition[];
    readonly failureReason?: string;
    readonly failureMessage?: string;
    readonly [field: string]: unknown;
  };
}

/** The Machine that owns an infrastructure machine, by its controller reference. */
export function ownerMachineName({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === 'Machine' && apiVersion.startsWith(`${group}/`),
  )?.name;
}
