import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { PlatformType } from '@hypershift-ts/hypershift-platforms';
import type { PlatformSpec } from './hosted-cluster.ts';
import type { NodePoolParts } from './node-pool.ts';
import type { ClusterRequest } from './request.ts';

/** Values of a platform's own flags, by the name the flag has on the command line. */
export interface PlatformFlagValues {
  text(flag: string): string | undefined;
  texts(flag: string): readonly string[];
  number(flag: string): number | undefined;
  isSet(flag: string): boolean;
  /** Content of the file a path flag names. */
  file(flag: string): string | undefined;
}

/** What can be found out about the surroundings. */
export interface PlatformFacts {
  /** Address of a node of the management cluster; undefined when nobody could be asked. */
  readonly nodeAddress: string | undefined;
  /** Content of `--infra-json`. */
  readonly infra: { readonly [field: string]: unknown } | undefined;
}

/** Everything of a new cluster that depends on the platform. */
export interface PlatformParts {
  readonly spec: PlatformSpec;
  readonly objects: readonly KubeObject[];
  readonly nodePools: readonly NodePoolParts[];
}

/** Turns flags of one platform into objects. Throws a UserError when they do not fit together. */
export interface PlatformBuilder {
  readonly type: PlatformType;
  /** Word after `create cluster`. */
  readonly command: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** Whether the address of a node is wanted. */
  needsNodeAddress?(flags: PlatformFlagValues): boolean;
  build(flags: PlatformFlagValues, request: ClusterRequest, facts: PlatformFacts): PlatformParts;
}
