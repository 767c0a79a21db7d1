import type { openshift } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';

/** How the operators of a cluster stand towards a version. */
export interface OperatorStates {
  readonly total: number;
  readonly done: number;
  /** Names of those that are not there yet. */
  readonly waiting: readonly string[];
  readonly unavailable: readonly string[];
  readonly degraded: readonly { readonly name: string; readonly message: string }[];
  /** What speaks against an upgrade to the next minor version. */
  readonly notUpgradeable: readonly { readonly name: string; readonly message: string }[];
}

/** Looks at the awaited operators and at every other one that reports. */
export function operatorStates(
  operators: readonly openshift.ClusterOperator[],
  awaited: readonly string[],
  version: string,
): OperatorStates {
  const byName = new Map(operators.map((operator) => [operator.metadata.name ?? '', operator]));
  const names = [...new Set([...awaited, ...byName.keys()])].sort();
  const has = (name: string, type: string, status: string) =>
    findCondition(byName.get(name)?.status?.conditions, type)?.status === status;
  const because = (type: string, status: string) =>
    names
      .filter((name) => has(name, type, status))
      .map((name) => ({
        name,
        message: findCondition(byName.get(name)?.status?.conditions, type)?.message ?? '',
      }));
  const isThere = (name: string) =>
    has(name, 'Available', 'True') &&
    (!awaited.includes(name) ||
      (byName.get(name)?.status?.versions ?? []).some((one) => one.name === 'operator' && one.version === version));
  const waiting = names.filter((name) => !isThere(name));
  return {
    total: names.length,
    done: names.length - waiting.length,
    waiting,
    unavailable: names.filter((name) => has(name, 'Available', 'False')),
    degraded: because('Degraded', 'True'),
    notUpgradeable: because('Upgradeable', 'False'),
  };
}
