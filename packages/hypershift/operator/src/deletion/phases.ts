import { annotations, type HostedCluster } from '@hypershift-ts/hypershift-api';

/** An object that must be gone before deletion goes on. */
export interface Remaining {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  /** When its deletion was asked for; absent when it was not yet. */
  readonly deletionTimestamp?: string | undefined;
  readonly finalizers?: readonly string[] | undefined;
  /** What it says itself about what is left of it. */
  readonly detail?: string | undefined;
}

/** What is left of a cluster, as far as phases ask for it. An empty list means gone; undefined means not looked up. */
export interface LeftOvers {
  readonly nodePools: readonly Remaining[];
  readonly clusterApiCluster: readonly Remaining[];
  readonly privateConnectivity: readonly Remaining[];
  readonly hostedControlPlane: readonly Remaining[];
  readonly namespace: readonly Remaining[];
}

/** What has to be done in a phase; each is safe to do again. */
export type DeletionStep =
  | 'unpause'
  | 'request-cloud-cleanup'
  | 'delete-node-pools'
  | 'delete-cluster-api-cluster'
  | 'release-orphaned-machines'
  | 'release-cluster-api-deployments'
  | 'delete-credentials'
  | 'delete-private-connectivity'
  | 'delete-cluster-rbac'
  | 'delete-hosted-control-plane'
  | 'remove-oidc-documents'
  | 'delete-namespace'
  | 'delete-owned-cluster-rbac'
  | 'forget-referenced-resources'
  | 'remove-finalizer';

export interface Phase {
  /** Reason of condition HostedClusterDeleting while it lasts. */
  readonly reason: string;
  readonly steps: readonly DeletionStep[];
  /** What it waits for once the steps were taken, the first that is left shown; nothing means that it ends at once. */
  readonly waitsFor: readonly (keyof LeftOvers)[];
}

/** Phases in order. Machines go before what looks after them, and the control plane before its namespace. */
export const phases: readonly Phase[] = [
  {
    reason: 'WaitingForNodePoolDeletion',
    steps: ['unpause', 'request-cloud-cleanup', 'delete-node-pools'],
    waitsFor: [],
  },
  {
    reason: 'WaitingForCAPIClusterDeletion',
    steps: ['delete-cluster-api-cluster', 'release-orphaned-machines'],
    waitsFor: ['nodePools', 'clusterApiCluster'],
  },
  {
    reason: 'WaitingForPrivateConnectivityDeletion',
    steps: ['release-cluster-api-deployments', 'delete-credentials', 'delete-private-connectivity'],
    waitsFor: ['privateConnectivity'],
  },
  {
    reason: 'WaitingForHostedControlPlaneDeletion',
    steps: ['delete-cluster-rbac', 'delete-hosted-control-plane'],
    waitsFor: ['hostedControlPlane'],
  },
  {
    reason: 'WaitingForNamespaceDeletion',
    steps: ['remove-oidc-documents', 'delete-namespace'],
    waitsFor: ['namespace'],
  },
];

/** What is done when everything is gone; the finalizer comes after the grace period. */
export const lastSteps: readonly DeletionStep[] = ['delete-owned-cluster-rbac', 'forget-referenced-resources'];

/** Whether the namespace of the control plane survives the cluster. */
export function keepsNamespace({ metadata }: HostedCluster): boolean {
  return metadata.annotations?.[annotations.skipDeleteHostedControlplaneNamespace.key] === 'true';
}
