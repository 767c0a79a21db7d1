import type { ServedResource } from './served-resource.ts';
import { compareVersions } from './version-order.ts';

export interface GroupVersionResources {
  readonly group: string;
  readonly version: string;
  /** Sorted by name. */
  readonly resources: readonly ServedResource[];
}

export interface Group {
  readonly name: string;
  /** The preferred version first. */
  readonly versions: readonly GroupVersionResources[];
}

/**
 * Resources by group and version. Built-in groups and versions keep the order they come in, which is Kubernetes'
 * own order of priorities; custom ones follow, groups by name and versions best first.
 */
export function groupsOf(resources: Iterable<ServedResource>): readonly Group[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const resource of resources) {
    let versions = groups.get(resource.group);
    if (!versions) groups.set(resource.group, (versions = new Map()));
    const list = versions.get(resource.version);
    if (list) list.push(resource);
    else versions.set(resource.version, [resource]);
  }
  return [...groups]
    .map(([name, versions]) => ({ name, versions: sortedVersions(name, versions) }))
    .sort((a, b) => Number(isCustom(a)) - Number(isCustom(b)) || (isCustom(a) ? compareText(a.name, b.name) : 0));
}

function sortedVersions(group: string, versions: ReadonlyMap<string, ServedResource[]>): GroupVersionResources[] {
  return [...versions]
    .map(([version, resources]) => ({
      group,
      version,
      resources: resources.sort((a, b) => compareText(a.resource, b.resource)),
    }))
    .sort((a, b) => {
      const custom = Number(isCustomVersion(a)) - Number(isCustomVersion(b));
      return custom || (isCustomVersion(a) ? compareVersions(a.version, b.version) : 0);
    });
}

function isCustom(group: Group): boolean {
  return group.versions.every(isCustomVersion);
}

function isCustomVersion({ resources }: GroupVersionResources): boolean {
  return resources.every(({ custom }) => custom);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
