import { appsDescriptions } from './descriptions/apps.ts';
import { coreDescriptions } from './descriptions/core.ts';
import { metaDescriptions } from './descriptions/meta.ts';
import { podDescriptions } from './descriptions/pod.ts';
import { rbacDescriptions } from './descriptions/rbac.ts';
import { workloadDescriptions } from './descriptions/workloads.ts';

/** What a kind or type is (under the empty key) and what its fields mean. */
export type Words = { readonly [field: string]: string };

const all: { readonly [definition: string]: Words } = {
  ...metaDescriptions,
  ...coreDescriptions,
  ...podDescriptions,
  ...appsDescriptions,
  ...workloadDescriptions,
  ...rbacDescriptions,
};

/** Our own short words on a definition and its fields, for `kubectl explain`. */
export function descriptionsOf(definition: string): { readonly kind: string | undefined; readonly fields: Words } {
  const words = Object.hasOwn(all, definition) ? (all[definition] ?? {}) : {};
  return { kind: words[''], fields: words };
}

/** All words by definition. */
export function describedDefinitions(): { readonly [definition: string]: Words } {
  return all;
}
