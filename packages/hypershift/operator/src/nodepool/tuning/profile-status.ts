import type { NodePoolConditionType } from '@hypershift-ts/hypershift-api';
import { type corev1, decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { PoolVerdict } from '../report.ts';

const prefix = 'performance.operator.openshift.io/';
const types = ['Available', 'Progressing', 'Upgradeable', 'Degraded'] as const;
/** Conditions that a pool has while it has a performance profile. */
export const profileConditions: readonly NodePoolConditionType[] = types.map((type) => `${prefix}${type}` as const);

const statuses = new Set<unknown>(['True', 'False', 'Unknown']);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the node tuning operator says about the profile, as conditions of the pool. */
export function profileVerdicts({ data }: corev1.ConfigMap): readonly PoolVerdict[] {
  let value: unknown;
  try {
    ({ value } = decodeYaml(data?.['status'] ?? ''));
  } catch {
    // It writes this ConfigMap for us alone; until it is whole there is nothing to tell.
    return [];
  }
  const conditions = isJsonObject(value) && Array.isArray(value['conditions']) ? value['conditions'] : [];
  return types.flatMap((type): PoolVerdict[] => {
    const found: unknown = conditions.find((one: unknown) => isJsonObject(one) && one['type'] === type);
    if (!isJsonObject(found) || !statuses.has(found['status'])) return [];
    return [
      {
        type: `${prefix}${type}`,
        status: found['status'] as PoolVerdict['status'],
        reason: text(found['reason']),
        message: text(found['message']),
      },
    ];
  });
}
