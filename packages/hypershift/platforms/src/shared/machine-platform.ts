import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { MachinePlatform } from '../machines.ts';

/** How most platforms make machines; others state their difference. */
export function machinePlatform(
  own: Pick<MachinePlatform, 'templates' | 'template'> & Partial<MachinePlatform>,
): MachinePlatform {
  return {
    isManaged: () => true,
    scalesFromZero: false,
    repairTimeout: '8m0s',
    keepsUserData: false,
    syncsGlobalPullSecret: false,
    ...own,
  };
}

/** Left out when empty, as Go does with `omitempty`: no text, zero, false, nothing in it. */
export function given(name: string, value: JsonValue | undefined): JsonObject {
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && value.length === 0);
  return isEmpty ? {} : { [name]: value };
}

/** Left out only when it is not set: what is a pointer in Go. */
export function set(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** A map as Go writes it: sorted by key. */
export function sorted(entries: { readonly [key: string]: string }): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** `spec` of a template with metadata: a struct, which Go prints even when empty. */
export const templateSpec = (spec: JsonObject): JsonObject => ({ template: { metadata: {}, spec } });

/** `spec` of a template whose kind knows no metadata. */
export const bareTemplateSpec = (spec: JsonObject): JsonObject => ({ template: { spec } });
