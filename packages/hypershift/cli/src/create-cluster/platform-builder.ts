import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { PlatformFlag, PlatformType } from '@hypershift-ts/hypershift-platforms';
import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { PlatformSpec } from './hosted-cluster.ts';
import type { NodePoolParts } from './node-pool.ts';
import type { ClusterRequest, NodePoolPlatform } from './request.ts';

/** Values of a platform's own flags, by the name the flag has on the command line. */
export interface PlatformFlagValues {
  text(flag: string): string | undefined;
  /** Values of a flag that may be repeated. */
  texts(flag: string): readonly string[];
  /** The same where commas separate values, too. */
  list(flag: string): readonly string[];
  number(flag: string): number | undefined;
  isSet(flag: string): boolean;
  /** Content of the file a path flag names. */
  file(flag: string): string | undefined;
}

/** A JSON object that another command wrote. */
export interface JsonFields {
  readonly [field: string]: unknown;
}

/** What can be found out about the surroundings. */
export interface PlatformFacts {
  /** Address of a node of the management cluster; undefined when nobody could be asked. */
  readonly nodeAddress: string | undefined;
  /** Content of `--infra-json`. */
  readonly infra: JsonFields | undefined;
}

/** Everything of a new cluster that depends on the platform. */
export interface PlatformParts {
  readonly spec: PlatformSpec;
  readonly annotations?: { readonly [key: string]: string };
  readonly objects: readonly KubeObject[];
  readonly nodePools: readonly NodePoolParts[];
  /** Processors of the nodes where the platform leaves no choice. */
  readonly arch?: string;
  /** Storage class of etcd volumes when nobody names one. */
  readonly etcdStorageClass?: string;
}

/** What nodes are made of. */
export interface NodeScope {
  readonly arch: string;
  /** The cluster they join, as far as it is known: a new one has no more than its infrastructure. */
  readonly infraID: string | undefined;
  readonly cluster?: HostedCluster;
}

/** Turns flags about nodes into the platform part of a NodePool. */
export interface NodeBuilder {
  readonly flags: readonly PlatformFlag[];
  readonly upgradeType: 'Replace' | 'InPlace';
  build(flags: PlatformFlagValues, scope: NodeScope): NodePoolPlatform;
}

/** Stand-ins for what a cloud would have: enough for a cloud that is simulated. */
export interface SimulatedInputs {
  readonly flags?: { readonly [name: string]: string };
  readonly files?: { readonly [flag: string]: string };
  readonly infra?: JsonFields;
}

/** Turns flags of one platform into objects. Throws a UserError when they do not fit together. */
export interface PlatformBuilder {
  readonly type: PlatformType;
  /** Word after `create cluster`. */
  readonly command: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly nodes: NodeBuilder;
  /** Whether the address of a node is wanted. */
  needsNodeAddress?(flags: PlatformFlagValues): boolean;
  /** What the embedded management cluster can do without. */
  simulated?(request: Pick<ClusterRequest, 'name' | 'namespace' | 'infraID' | 'baseDomain'>): SimulatedInputs;
  build(flags: PlatformFlagValues, request: ClusterRequest, facts: PlatformFacts): PlatformParts;
}
