import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';
import type { LeaderElectionOptions, Logger } from '@hypershift-ts/kube-controller';
import type { Endpoint } from './resources/inputs.ts';

export interface ConfigOperatorOptions {
  /** The cluster the control plane runs on, as the operator's service account. */
  readonly managementClient: Client;
  /** The hosted cluster, as user `system:hosted-cluster-config`. */
  readonly hostedClient: Client;
  /** Namespace of the control plane. */
  readonly namespace: string;
  readonly hostedControlPlaneName: string;
  readonly releases: ReleaseProvider;
  /** The operator's own image, for what it runs on nodes (env HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE). */
  readonly image?: string;
  /** Published address of the konnectivity server; nodes cannot be reached before it is known. */
  readonly konnectivity?: Endpoint;
  /** Published address of the OAuth server. */
  readonly oauth?: Endpoint;
  /** Work only while the control plane wants this release image: the operator's own (env OPERATE_ON_RELEASE_IMAGE). */
  readonly operateOnReleaseImage?: string;
  /** Report the number of nodes (env ENABLE_SIZE_TAGGING). Default true, as it costs nothing here. */
  readonly reportNodeCount?: boolean;
  /** Labels and taints of node pools follow on nodes that exist already, not only on new ones. Default true. */
  readonly keepNodesInSync?: boolean;
  readonly leaderElection?: LeaderElectionOptions;
  readonly randomBytes?: (size: number) => Uint8Array;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** What every controller of the operator works with. */
export interface GuestScope {
  readonly options: ConfigOperatorOptions;
  /** What is watched in the hosted cluster. */
  readonly guest: InformerCache;
  /** What is watched in the namespace of the control plane. */
  readonly management: InformerCache;
}
