import { isJsonObject, jsonEqual, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';

/** Maps that the API drops when empty, so that wanting an empty one is the same as wanting none. */
const droppedWhenEmpty = new Set([
  'labels',
  'annotations',
  'matchLabels',
  'nodeSelector',
  'data',
  'binaryData',
  'stringData',
  'limits',
  'requests',
]);

/** Texts that the API drops when empty: the value of an environment variable or a taint. */
const textDroppedWhenEmpty = new Set(['value']);

/** Maps of quantities, which the API rewrites in canonical form: 1000m becomes 1. */
const quantityMaps = new Set(['limits', 'requests', 'capacity', 'hard', 'overhead']);

/**
 * Whether `live` already is what `desired` asks for: every field that desired states has that value in live, and
 * whatever live has beyond that (server defaults, other people's fields) does not matter. Lists must agree in length
 * and order. `undefined` states nothing; `null` states that the field is absent.
 */
export function derives(desired: unknown, live: unknown): boolean {
  if (desired === undefined) return true;
  if (desired === null) return live === undefined || live === null;
  if (Array.isArray(desired)) {
    if (!Array.isArray(live)) return desired.length === 0 && (live === undefined || live === null);
    return desired.length === live.length && desired.every((item, i) => derives(item, live[i]));
  }
  if (!isJsonObject(desired)) return desired === live;
  if (!isJsonObject(live)) return false;
  for (const key in desired) {
    const wanted = desired[key];
    const found = live[key];
    if (found === undefined && droppedWhenEmpty.has(key) && jsonEqual(wanted, {})) continue;
    if (found === undefined && wanted === '' && textDroppedWhenEmpty.has(key)) continue;
    if (derives(wanted, found)) continue;
    if (!quantityMaps.has(key) || !sameQuantities(wanted, found)) return false;
  }
  return true;
}

function sameQuantities(desired: unknown, live: unknown): boolean {
  if (!isJsonObject(desired) || !isJsonObject(live)) return false;
  return Object.entries(desired).every(([name, value]) => {
    const [wanted, found] = [tryParseQuantity(value), tryParseQuantity(live[name])];
    return wanted !== undefined && found !== undefined && wanted.compare(found) === 0;
  });
}
