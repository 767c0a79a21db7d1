import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import type { PlatformCondition } from '../platform.ts';
import { sorted } from '../shared/machine-platform.ts';

type Tags = { readonly [key: string]: string };

interface MergedTags {
  readonly tags: Tags;
  /** Keys of the pool that the cluster does not let it change. */
  readonly blocked: readonly string[];
  /** Keys of the cluster that the pool changed as it may. */
  readonly overridden: readonly string[];
}

export const isSpot = ({ metadata, spec }: NodePool): boolean =>
  spec.platform.aws?.placement?.marketType === 'Spot' ||
  metadata.annotations?.['hypershift.openshift.io/enable-spot'] !== undefined;

/** Tags of instances: those of the cluster, and those of the pool where the cluster lets it. */
export function mergedTags(cluster: HostedCluster, pool: NodePool): MergedTags {
  const tags: { [key: string]: string } = {};
  const blocked: string[] = [];
  const overridden: string[] = [];
  const policies = new Map<string, string | undefined>();
  for (const { key, value, overridePolicy } of cluster.spec.platform.aws?.resourceTags ?? []) {
    tags[key] = value;
    policies.set(key, overridePolicy);
  }
  for (const { key, value } of pool.spec.platform.aws?.resourceTags ?? []) {
    const isOther = policies.has(key) && tags[key] !== value;
    if (isOther && policies.get(key) !== 'Allow') {
      blocked.push(key);
      continue;
    }
    if (isOther) overridden.push(key);
    tags[key] = value;
  }
  // Cloud controllers find instances by it, and the cluster may not have its own tags yet.
  tags[`kubernetes.io/cluster/${cluster.spec.infraID}`] ??= 'owned';
  if (isSpot(pool)) tags['aws-node-termination-handler/managed'] = '';
  return { tags: sorted(tags), blocked: blocked.sort(), overridden: overridden.sort() };
}

/** Whether the tags of a pool contradict those of its cluster. */
export function tagConflict(cluster: HostedCluster, pool: NodePool): PlatformCondition {
  const { blocked, overridden } = mergedTags(cluster, pool);
  const type = 'AWSResourceTagConflict';
  if (blocked.length + overridden.length === 0)
    return { type, status: 'False', reason: 'NoTagConflict', message: 'No tag conflicts detected' };
  const parts = [
    ...(blocked.length > 0
      ? [
          `tags of the NodePool that the HostedCluster does not let it override: ${blocked.join(', ')}; remove them from spec.platform.aws.resourceTags, or set overridePolicy: Allow on those of the HostedCluster`,
        ]
      : []),
    ...(overridden.length > 0
      ? [`tags of the HostedCluster overridden by the NodePool: ${overridden.join(', ')}`]
      : []),
  ];
  return { type, status: 'True', reason: 'TagConflictDetected', message: parts.join('; ') };
}
