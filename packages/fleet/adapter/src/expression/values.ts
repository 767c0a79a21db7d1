import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { CelValue } from '@hypershift-ts/kube-cel';
import { CelDouble } from '@hypershift-ts/kube-cel';

/**
 * JSON as upstream's decoder hands it to CEL: every number is a double, so whole ones are boxed. Parts without whole
 * numbers are shared, not copied. Objects of a cluster do not go through here: their whole numbers are ints.
 */
export function withDoubles(value: JsonValue | undefined): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? new CelDouble(value) : value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map(withDoubles);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  let changed = false;
  const copy: Record<string, CelValue> = {};
  for (const [key, item] of Object.entries(value)) {
    copy[key] = withDoubles(item);
    changed ||= copy[key] !== item;
  }
  return changed ? copy : value;
}
