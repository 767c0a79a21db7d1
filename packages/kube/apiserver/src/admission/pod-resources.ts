import { parseQuantity, type Quantity, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';

/** Amounts by resource name. */
export type Amounts = Map<string, Quantity>;

/** A resource list (`{cpu: "1"}`) read; what does not parse is left out, validation refuses it. */
export function amountsOf(list: unknown): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, value] of Object.entries((list ?? {}) as Record<string, string>)) {
    const quantity = tryParseQuantity(value);
    if (quantity) amounts.set(name, quantity);
  }
  return amounts;
}

const zero = parseQuantity('0');

export function addAmounts(total: Amounts, more: Amounts): void {
  for (const [name, quantity] of more) total.set(name, (total.get(name) ?? zero).add(quantity));
}

function raiseTo(total: Amounts, floor: Amounts): void {
  for (const [name, quantity] of floor) {
    const present = total.get(name);
    if (!present || present.compare(quantity) < 0) total.set(name, quantity);
  }
}

/**
 * What a pod takes of `requests` or `limits`: its containers together, or its init containers at their hungriest
 * moment, and its overhead. Sidecars (init containers that restart always) run beside everything after them.
 */
export function podAmounts(spec: Draft, part: 'requests' | 'limits'): Amounts {
  const of = (container: Draft): Amounts => amountsOf(container['resources']?.[part]);
  const total: Amounts = new Map();
  for (const container of (spec['containers'] ?? []) as Draft[]) addAmounts(total, of(container));
  const sidecars: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of (spec['initContainers'] ?? []) as Draft[]) {
    const own = of(container);
    if (container['restartPolicy'] === 'Always') {
      addAmounts(total, own);
      addAmounts(sidecars, own);
      raiseTo(peak, sidecars);
    } else {
      addAmounts(own, sidecars);
      raiseTo(peak, own);
    }
  }
  raiseTo(total, peak);
  // What the pod states as a whole counts instead of the sum.
  for (const [name, quantity] of amountsOf(spec['resources']?.[part])) total.set(name, quantity);
  for (const [name, quantity] of amountsOf(spec['overhead']))
    if (part === 'requests' || total.has(name)) total.set(name, (total.get(name) ?? zero).add(quantity));
  return total;
}
