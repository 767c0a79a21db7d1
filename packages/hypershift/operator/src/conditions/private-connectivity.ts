import type { HostedCluster, HostedClusterConditionType } from '@hypershift-ts/hypershift-api';
import type { Platform, PrivateConnectivity } from '@hypershift-ts/hypershift-platforms';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { unknown, type Verdict } from './verdict.ts';

/** One answer for the endpoints of a cluster: all are well, or what those say that are not. */
export function privateConnectivityConditions(
  cluster: HostedCluster,
  { traits }: Platform,
  objects: readonly PrivateConnectivity[],
): readonly Verdict[] {
  const { privateConnectivity: facts } = traits;
  if (!facts) return [];
  if (objects.length === 0 && !facts.isExpected(cluster)) return [];
  const cloud = traits.controlPlaneType;
  return Object.entries(facts.conditions).map(([own, theirs]) => {
    const type = own as HostedClusterConditionType;
    const found = objects.flatMap(({ status }) => findCondition(status?.conditions, theirs) ?? []);
    if (found.length === 0) return unknown(type, `${facts.type.kind} conditions not found`);
    const bad = found.filter(({ status }) => status === 'False');
    if (bad.length > 0) {
      const message = bad.map((condition) => condition.message ?? '').join('; ');
      return { type, status: 'False', reason: `${cloud}Error`, message };
    }
    return { type, status: 'True', reason: `${cloud}Success`, message: 'All is well' };
  });
}
