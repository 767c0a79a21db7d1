import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { tryParseQuantity } from '@hypershift-ts/kube-apimachinery';

/** Amounts by resource name: cpu in thousandths of a core, everything else in its own unit. */
export type Amounts = { readonly [resource: string]: number };

const parsed = new Map<string, number>();
const maxParsed = 5_000;

/** An amount of a resource as a number; what does not parse counts as nothing. */
export function amountOf(resource: string, quantity: string | number): number {
  const key = `${resource === 'cpu' ? 'm' : ''}${quantity}`;
  let amount = parsed.get(key);
  if (amount === undefined) {
    const value = tryParseQuantity(quantity);
    amount = Number((resource === 'cpu' ? value?.milliValue() : value?.value()) ?? 0n);
    // Quantities in a cluster repeat; a flood of different ones must not grow the table.
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(key, amount);
  }
  return amount;
}

export function amountsOf(list: { readonly [resource: string]: string } | undefined): Record<string, number> {
  const amounts: Record<string, number> = {};
  for (const [resource, quantity] of Object.entries(list ?? {})) amounts[resource] = amountOf(resource, quantity);
  return amounts;
}

const known = new WeakMap<object, Amounts>();

/** What a pod asks for: its containers together, or its init containers at their hungriest moment, and its overhead. */
export function podRequests(spec: corev1.PodSpec): Amounts {
  let requests = known.get(spec);
  if (!requests) {
    requests = compute(spec);
    known.set(spec, requests);
  }
  return requests;
}

function compute(spec: corev1.PodSpec): Amounts {
  const total: Record<string, number> = {};
  for (const container of spec.containers) add(total, amountsOf(container.resources?.requests));
  const sidecars: Record<string, number> = {};
  let peak: Record<string, number> = {};
  for (const container of spec.initContainers ?? []) {
    const requests = amountsOf(container.resources?.requests);
    if (container.restartPolicy === 'Always') {
      // A sidecar runs on beside everything after it.
      add(total, requests);
      add(sidecars, requests);
      peak = largest(peak, sidecars);
    } else {
      add(requests, sidecars);
      peak = largest(peak, requests);
    }
  }
  const result = largest(total, peak);
  // Requests of the pod as a whole count instead of the sum of its containers.
  Object.assign(result, amountsOf(spec.resources?.requests));
  add(result, amountsOf(spec.overhead));
  return result;
}

function add(into: Record<string, number>, amounts: Amounts): void {
  for (const resource in amounts) into[resource] = (into[resource] ?? 0) + (amounts[resource] ?? 0);
}

function largest(a: Amounts, b: Amounts): Record<string, number> {
  const result: Record<string, number> = { ...a };
  for (const resource in b) result[resource] = Math.max(result[resource] ?? 0, b[resource] ?? 0);
  return result;
}
