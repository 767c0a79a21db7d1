import type { PolicyRule } from '../rbac/types.ts';

/** A default role in the short form of these tables. */
export interface RoleSpec {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** Absent for ClusterRoles. */
  readonly namespace?: string;
  /** The aggregated roles (`admin`, `edit`, `view`, ...) that gather this one. */
  readonly partOf?: readonly string[];
  /** The aggregation label this role gathers by. */
  readonly gathers?: string;
}

const words = (text: string) => text.split(' ');

/** Verbs, API groups (`core` stands for the nameless one), resources and perhaps names, each separated by blanks. */
export function on(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: words(verbs),
    apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
    resources: words(resources),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
  };
}

/** Verbs on paths that are not resources. */
export function urls(verbs: string, paths: string): PolicyRule {
  return { verbs: words(verbs), nonResourceURLs: words(paths) };
}
