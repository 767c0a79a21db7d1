import type { HostedCluster, NodePoolManifest } from '@hypershift-ts/hypershift-api';
import { UserError } from '../cli-error.ts';
import type { PlatformBuilder, PlatformFlagValues } from '../create-cluster/platform-builder.ts';
import { someKeyValues } from '../key-values.ts';

/** What `create nodepool` takes on every platform. */
export interface NodePoolFlags {
  readonly name: string;
  readonly clusterName: string;
  readonly namespace: string;
  readonly replicas: number;
  readonly autoscaleMin?: number;
  readonly autoscaleMax?: number;
  readonly releaseImage?: string;
  readonly nodeUpgradeType?: string;
  readonly arch: string;
  readonly autoRepair: boolean;
  readonly nodeDrainTimeout?: string;
  readonly nodeVolumeDetachTimeout?: string;
  readonly nodeLabels: readonly string[];
  readonly config: readonly string[];
}

/** Refuses what the cluster could not take. */
function checkAgainst(cluster: HostedCluster, platform: PlatformBuilder, flags: NodePoolFlags): void {
  const key = `${cluster.metadata.namespace}/${cluster.metadata.name}`;
  const { type } = cluster.spec.platform;
  if (type !== platform.type)
    throw new UserError(
      `HostedCluster ${key} is on platform ${type}, so its NodePools are, too; not on ${platform.type}`,
      `Use: hypershift create nodepool ${type.toLowerCase()}`,
    );
  const payload = cluster.status?.payloadArch;
  if (payload && payload !== 'Multi' && payload.toLowerCase() !== flags.arch.toLowerCase())
    throw new UserError(
      `HostedCluster ${key} runs a release for ${payload} only, which has nothing for ${flags.arch} nodes`,
      `Use --arch ${payload.toLowerCase()}, or a release for several architectures.`,
    );
}

function size(flags: NodePoolFlags): Pick<NodePoolManifest['spec'], 'replicas' | 'autoScaling'> {
  const { autoscaleMin: min, autoscaleMax: max } = flags;
  if (max === undefined && min === undefined) return { replicas: flags.replicas };
  if (max === undefined)
    throw new UserError('--autoscale-min needs --autoscale-max', 'Say how many nodes there may be.');
  return { autoScaling: { min: min ?? 1, max } };
}

/** The NodePool that flags ask for in an existing cluster. */
export function newNodePool(
  cluster: HostedCluster,
  platform: PlatformBuilder,
  flags: NodePoolFlags,
  values: PlatformFlagValues,
): NodePoolManifest {
  checkAgainst(cluster, platform, flags);
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name: flags.name, namespace: flags.namespace },
    spec: {
      clusterName: flags.clusterName,
      release: { image: flags.releaseImage ?? cluster.spec.release.image },
      ...size(flags),
      arch: flags.arch as 'amd64',
      management: {
        autoRepair: flags.autoRepair,
        upgradeType: (flags.nodeUpgradeType ?? platform.nodes.upgradeType) as 'Replace',
      },
      ...(flags.nodeDrainTimeout ? { nodeDrainTimeout: flags.nodeDrainTimeout } : {}),
      ...(flags.nodeVolumeDetachTimeout ? { nodeVolumeDetachTimeout: flags.nodeVolumeDetachTimeout } : {}),
      ...someKeyValues('nodeLabels', flags.nodeLabels, 'node-labels'),
      ...(flags.config.length > 0 ? { config: flags.config.map((name) => ({ name })) } : {}),
      platform: platform.nodes.build(values, { arch: flags.arch, infraID: cluster.spec.infraID, cluster }),
    },
  };
}
