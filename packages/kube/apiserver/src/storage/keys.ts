import { prefixEnd } from '@hypershift-ts/kube-store';

/** Where a resource's objects live in the store: `/registry/apps/deployments/`. */
export function storagePrefix(group: string, resource: string): string {
  return `/registry/${group === '' ? 'core' : group}/${resource}/`;
}

export function storageKey(prefix: string, namespace: string | undefined, name: string): string {
  return namespace ? `${prefix}${namespace}/${name}` : prefix + name;
}

/** The keys of a resource, or of one namespace of it. */
export function keyRange(prefix: string, namespace: string | undefined): { start: string; end: string } {
  const start = namespace ? `${prefix}${namespace}/` : prefix;
  return { start, end: prefixEnd(start) };
}
