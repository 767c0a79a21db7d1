import type { Step } from '@hypershift-ts/kube-controller';
import type { HostedClusterScope } from '../scope.ts';

/** One named thing that is done for a cluster. */
export type ClusterStep = Step<HostedClusterScope>;
