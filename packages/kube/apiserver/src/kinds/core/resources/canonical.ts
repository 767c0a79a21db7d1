import { Quantity, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { maybe } from '../../defaulting.ts';

/**
 * Rewrites a list of quantities the way the real server stores it: as strings in canonical form, nothing finer than
 * a thousandth. What is no quantity stays as it is for validation to report.
 */
export function canonicalList(owner: Draft, key: string): void {
  const list = maybe(owner, key);
  // A list taken over from the stored object is canonical.
  if (!list || Object.isFrozen(list)) return;
  for (const name of Object.keys(list)) {
    const quantity = tryParseQuantity(list[name]);
    if (quantity) list[name] = roundedToMilli(quantity).toString();
  }
}

function roundedToMilli(quantity: Quantity): Quantity {
  const milli = quantity.milliValue();
  const rounded = new Quantity(milli, -3, quantity.format);
  return rounded.equals(quantity) ? quantity : rounded;
}

/** Both lists of a ResourceRequirements. */
export function canonicalResources(resources: Draft): void {
  canonicalList(resources, 'limits');
  canonicalList(resources, 'requests');
}

/** One quantity outside a list, such as the size limit of an emptyDir. */
export function canonicalField(owner: Draft | undefined, key: string): void {
  if (!owner) return;
  const quantity = tryParseQuantity(owner[key]);
  const canonical = quantity?.toString();
  if (canonical !== undefined && canonical !== owner[key]) owner[key] = canonical;
}
