import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedCluster } from '../hosted-cluster/index.ts';
import type { NodePool } from '../node-pool/index.ts';

/** Decoded contents of Secrets or ConfigMaps by object name. A name that is not there does not exist. */
export type KeyedData = ReadonlyMap<string, { readonly [key: string]: string }>;

/** What surrounds a HostedCluster. A fact that is not given was not looked up, and its checks are left out. */
export interface HostedClusterFacts {
  /** Whether the management cluster has the Route API. */
  readonly hasRoutes?: boolean;
  /** Secrets in the namespace of the HostedCluster. */
  readonly secrets?: KeyedData;
  /** ConfigMaps in the namespace of the HostedCluster. */
  readonly configMaps?: KeyedData;
  /** Namespaces of the management cluster. */
  readonly namespaces?: ReadonlySet<string>;
  /** Version of the release, such as `4.22.1`. */
  readonly releaseVersion?: string;
}

/** What surrounds a NodePool. */
export interface NodePoolFacts {
  readonly hostedCluster?: HostedCluster;
  /** Version the control plane completed, such as `4.19.3`. */
  readonly controlPlaneVersion?: string;
}

export type HostedClusterSpec = HostedCluster['spec'];
export type NodePoolSpec = NodePool['spec'];

/** One concern of a HostedCluster's validation. */
export type HostedClusterCheck = (cluster: HostedCluster, facts: HostedClusterFacts) => readonly FieldError[];

/** One concern of a NodePool's validation. */
export type NodePoolCheck = (pool: NodePool, facts: NodePoolFacts) => readonly FieldError[];

/** Minor of an OpenShift version counted on from 4.x: 5.0 follows 4.22, so it is 23. */
export function continuousMinor(version: string): number | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  return major === '5' ? 23 + Number(minor) : Number(minor);
}
