import { parseQuantity, type Quantity } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import { type Amounts, amountsOf, podAmounts } from '../pod-resources.ts';

/** One entry of a LimitRange's spec.limits. */
export interface LimitItem {
  readonly type: string;
  readonly min?: Readonly<Record<string, string>>;
  readonly max?: Readonly<Record<string, string>>;
  readonly default?: Readonly<Record<string, string>>;
  readonly defaultRequest?: Readonly<Record<string, string>>;
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>>;
}

interface Usage {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Everything about a pod that a limit does not allow. */
export function podFaults(item: LimitItem, spec: Draft): string[] {
  if (item.type === 'Pod')
    return faults(item, { requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') });
  if (item.type !== 'Container') return [];
  const containers = [...(spec['containers'] ?? []), ...(spec['initContainers'] ?? [])] as Draft[];
  return containers.flatMap(({ resources }) =>
    faults(item, { requests: amountsOf(resources?.requests), limits: amountsOf(resources?.limits) }),
  );
}

/** Claims have requests only. */
export function claimFaults(item: LimitItem, spec: Draft): string[] {
  if (item.type !== 'PersistentVolumeClaim') return [];
  const requests = amountsOf(spec['resources']?.requests);
  return [
    ...each(item.min, (name, bound) => below(item.type, name, bound, requests.get(name), undefined)),
    ...each(item.max, (name, bound) => {
      const request = requests.get(name);
      const head = `maximum ${name} usage per ${item.type} is ${bound.toString()}`;
      if (!request) return `${head}.  No request is specified`;
      return request.compare(bound) > 0 ? `${head}, but request is ${request.toString()}` : undefined;
    }),
  ];
}

function faults({ type, min, max, maxLimitRequestRatio }: LimitItem, { requests, limits }: Usage): string[] {
  return [
    ...each(min, (name, bound) => below(type, name, bound, requests.get(name), limits.get(name))),
    ...each(max, (name, bound) => above(type, name, bound, requests.get(name), limits.get(name))),
    ...each(maxLimitRequestRatio, (name, bound) => tooFar(type, name, bound, requests.get(name), limits.get(name))),
  ];
}

function each(
  bounds: Readonly<Record<string, string>> | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): string[] {
  const found: string[] = [];
  for (const name of Object.keys(bounds ?? {}).sort()) {
    const fault = check(name, parseQuantity(bounds![name]!));
    if (fault) found.push(fault);
  }
  return found;
}

type Maybe = Quantity | undefined;

function below(type: string, name: string, bound: Quantity, request: Maybe, limit: Maybe): string | undefined {
  const head = `minimum ${name} usage per ${type} is ${bound.toString()}`;
  if (!request) return `${head}.  No request is specified`;
  if (request.compare(bound) < 0) return `${head}, but request is ${request.toString()}`;
  return limit && limit.compare(bound) < 0 ? `${head}, but limit is ${limit.toString()}` : undefined;
}

function above(type: string, name: string, bound: Quantity, request: Maybe, limit: Maybe): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${bound.toString()}`;
  if (!limit) return `${head}.  No limit is specified`;
  if (limit.compare(bound) > 0) return `${head}, but limit is ${limit.toString()}`;
  return request && request.compare(bound) > 0 ? `${head}, but request is ${request.toString()}` : undefined;
}

function tooFar(type: string, name: string, bound: Quantity, request: Maybe, limit: Maybe): string | undefined {
  const head = `${name} max limit to request ratio per ${type} is ${bound.toString()}`;
  if (!request || request.isZero) return `${head}, but no request is specified or request is 0`;
  if (!limit || limit.isZero) return `${head}, but no limit is specified or limit is 0`;
  const ratio = limit.asApproximateFloat() / request.asApproximateFloat();
  return ratio > bound.asApproximateFloat() ? `${head}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
