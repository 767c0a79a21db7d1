import type { MachinePlatform, MachineScope } from '@hypershift-ts/hypershift-platforms';
import { isNewOrUpgrading } from '../rollout.ts';
import { known, type PoolScope } from '../scope.ts';

/** What the platform is told. A pool whose nodes will be new ones has the marks of new pools already. */
export function machineScope({ pool, cluster, namespace, platform, found }: PoolScope): MachineScope {
  const release = known(found, 'release');
  const marks = isNewOrUpgrading(pool, release) ? platform.machines?.newPoolAnnotations : undefined;
  return {
    pool: marks
      ? { ...pool, metadata: { ...pool.metadata, annotations: { ...marks, ...pool.metadata.annotations } } }
      : pool,
    cluster,
    namespace,
    release,
    stream: known(found, 'stream'),
    createsSecurityGroup: known(found, 'controlPlaneOperator').capabilities.createsAwsSecurityGroup,
  };
}

/** How the platform makes machines; undefined where they come from elsewhere. */
export const makesMachines = ({ platform, cluster }: PoolScope): MachinePlatform | undefined =>
  platform.machines?.isManaged(cluster) ? platform.machines : undefined;
