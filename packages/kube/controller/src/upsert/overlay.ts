import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** Fields by which the items of a list are told apart, most telling first. */
const itemKeys = ['name', 'key', 'uid', 'containerPort', 'port', 'mountPath', 'ip', 'type', 'topologyKey'] as const;

/**
 * `live` with everything that `desired` states put over it. Objects merge, so server-set fields such as a clusterIP
 * stay; lists become the desired list, each item over the live item of the same name; `null` removes a field.
 */
export function overlay(live: unknown, desired: unknown): unknown {
  if (desired === undefined) return live;
  if (Array.isArray(desired)) return overlayList(Array.isArray(live) ? live : [], desired);
  if (!isJsonObject(desired)) return desired;
  const result: Record<string, unknown> = isJsonObject(live) ? { ...live } : {};
  for (const key of Object.keys(desired)) {
    const value = desired[key];
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = overlay(result[key], value);
  }
  return result;
}

function overlayList(live: readonly unknown[], desired: readonly unknown[]): unknown[] {
  return desired.map((item) => {
    if (!isJsonObject(item)) return item;
    const key = itemKeys.find((candidate) => item[candidate] !== undefined);
    if (!key) return item;
    const match = live.find((other) => isJsonObject(other) && other[key] === item[key]);
    return match === undefined ? item : overlay(match, item);
  });
}
