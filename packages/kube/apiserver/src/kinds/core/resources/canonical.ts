import type { Draft } from '../../behaviour.ts';
import { maybe } from '../../defaulting.ts';

/** Rewrites a list of quantities the way the real server stores it: as strings. */
export function canonicalList(owner: Draft, key: string): void {
  const list = maybe(owner, key);
  if (!list) return;
  for (const name of Object.keys(list)) {
    const value = list[name];
    if (typeof value === 'number') list[name] = String(value);
  }
}

/** Both lists of a ResourceRequirements. */
export function canonicalResources(resources: Draft): void {
  canonicalList(resources, 'limits');
  canonicalList(resources, 'requests');
}
