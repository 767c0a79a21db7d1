/** What the compiler refuses; the type check fails if it ever stops doing so. */
import type { HostedClusterManifest, NodePoolManifest } from '../index.ts';

type ClusterSpec = HostedClusterManifest['spec'];
type PoolSpec = NodePoolManifest['spec'];

export const mistakes = [
  // @ts-expect-error there is no such platform
  { type: 'Alibaba' } satisfies ClusterSpec['platform'],
  // @ts-expect-error the region belongs below aws
  { type: 'AWS', region: 'us-east-1' } satisfies ClusterSpec['platform'],
  // @ts-expect-error an image is needed
  {} satisfies PoolSpec['release'],
  // @ts-expect-error a number is meant
  { min: '1', max: 3 } satisfies PoolSpec['autoScaling'],
];
