import { deepFreeze } from '../json.ts';
import { resourcesJson } from './generated/resources.ts';

/** A subresource as discovery shows it: `pods/eviction`. */
export interface BuiltinSubresource {
  readonly name: string;
  readonly kind: string;
  /** Group and version of `kind` where they differ from the parent's. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** A resource of a built-in group-version. */
export interface BuiltinResource {
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly BuiltinSubresource[];
}

export interface BuiltinGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly BuiltinResource[];
}

/** The Kubernetes release whose kinds and behaviour are reproduced. */
export const kubernetesVersion = { major: '1', minor: '37', gitVersion: 'v1.37.2' } as const;

let table: readonly BuiltinGroupVersion[] | undefined;

/**
 * Every served built-in group-version with its resources: the core group first, then in Kubernetes' order of
 * groups, the preferred version of a group before its others. One frozen table per process.
 */
export function builtinResources(): readonly BuiltinGroupVersion[] {
  table ??= deepFreeze(JSON.parse(resourcesJson) as BuiltinGroupVersion[]);
  return table;
}
