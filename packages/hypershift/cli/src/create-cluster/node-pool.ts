import type { NodePoolManifest } from '@hypershift-ts/hypershift-api';
import type { ClusterRequest, NodePoolPlatform } from './request.ts';

/** One NodePool of a new cluster, as far as the platform decides. */
export interface NodePoolParts {
  /** After the name of the cluster; absent for the only pool. */
  readonly suffix?: string;
  readonly platform: NodePoolPlatform;
  readonly annotations?: { readonly [key: string]: string };
}

/** A NodePool that comes with a new cluster. */
export function nodePoolOf(
  request: ClusterRequest,
  parts: NodePoolParts,
  upgradeType: 'Replace' | 'InPlace',
): NodePoolManifest {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: {
      name: parts.suffix ? `${request.name}-${parts.suffix}` : request.name,
      namespace: request.namespace,
      ...(parts.annotations ? { annotations: parts.annotations } : {}),
    },
    spec: {
      clusterName: request.name,
      release: { image: request.releaseImage },
      replicas: request.nodePoolReplicas,
      arch: request.arch as 'amd64',
      management: {
        autoRepair: request.autoRepair,
        upgradeType: (request.nodeUpgradeType ?? upgradeType) as 'Replace',
      },
      nodeDrainTimeout: request.nodeDrainTimeout,
      nodeVolumeDetachTimeout: request.nodeVolumeDetachTimeout,
      ...(request.pausedUntil ? { pausedUntil: request.pausedUntil } : {}),
      platform: parts.platform,
    },
  };
}
