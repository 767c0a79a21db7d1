/** What the nodes of a pool should run, and how far they are. */
import { annotations, type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import {
  type ApiServerProxyInputs,
  apiServerEndpoints,
  type ConfigSource,
  configProblems,
  type NodeConfiguration,
  type PoolIntent,
  proxyStatus,
  rolloutFormats,
  type RolloutTarget,
  rolloutTarget,
  userIntent,
  userIntentVersion,
} from '@hypershift-ts/hypershift-ignition';
import type { ReleaseImage } from '@hypershift-ts/hypershift-release';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { fails, holds, type PoolVerdict } from './report.ts';
import { hashAsIntent, markOf, markText, rolloutMark } from './rollout-mark.ts';
import { isInPlace } from './scope.ts';

const annotationOf = ({ metadata }: NodePool, name: keyof typeof annotations): string | undefined =>
  metadata.annotations?.[annotations[name].key];

export interface RolloutFacts {
  readonly pool: NodePool;
  readonly cluster: HostedCluster;
  readonly release: ReleaseImage;
  readonly isPrivate: boolean;
  /** Server in the kubeconfig of the hosted cluster. */
  readonly kubeconfigServer: string;
  readonly controlPlaneOperator: { readonly image: string; readonly skipsHaproxy: boolean };
  readonly core: readonly ConfigSource[];
  readonly user: readonly ConfigSource[];
  readonly tuning: readonly ConfigSource[];
  readonly machineDeployment: capiv1beta1.MachineDeployment | undefined;
  readonly machineSet: capiv1beta1.MachineSet | undefined;
}

function clusterNetworks({ spec }: HostedCluster) {
  const { networking, platform } = spec;
  return {
    machineNetwork: networking?.machineNetwork ?? [],
    clusterNetwork: networking?.clusterNetwork ?? [],
    serviceNetwork: networking?.serviceNetwork ?? [],
    platform: platform.type,
    ...(platform.aws ? { awsRegion: platform.aws.region } : {}),
  };
}

/** The proxy of the nodes, everything of the cluster itself left out of it. */
export const nodeProxy = (cluster: HostedCluster) =>
  proxyStatus(cluster.spec.configuration?.proxy, clusterNetworks(cluster));

/** Its nodes will be new ones anyway, so newer ways of making them may be used. */
export const isNewOrUpgrading = (pool: NodePool, release: ReleaseImage): boolean =>
  annotationOf(pool, 'nodePoolCurrentConfigVersion') === undefined || pool.status?.version !== release.version;

/**
 * New pools and pools that go to another release take images as the release names them. For the others the image in
 * their hash stays what it was, or they would roll.
 */
export const usesCanonicalImages = (pool: NodePool, release: ReleaseImage): boolean =>
  annotationOf(pool, 'canonicalDataPlaneImages') !== undefined || isNewOrUpgrading(pool, release);

function apiServerProxy(facts: RolloutFacts): ApiServerProxyInputs | undefined {
  const { pool, cluster, release, controlPlaneOperator } = facts;
  if (!controlPlaneOperator.skipsHaproxy) return undefined;
  const { networking, services, platform } = cluster.spec;
  const [service] = networking?.serviceNetwork ?? [];
  const [pods] = networking?.clusterNetwork ?? [];
  const proxy = nodeProxy(cluster);
  const images = usesCanonicalImages(pool, release) ? release.canonicalComponents : release.components;
  const published = services.find((one) => one.service === 'APIServer')?.servicePublishingStrategy;
  return {
    ...apiServerEndpoints({
      clusterName: cluster.metadata.name ?? '',
      isPrivate: facts.isPrivate,
      apiServerByLoadBalancer: published?.type === 'LoadBalancer',
      kubeconfigServer: facts.kubeconfigServer,
      serviceNetwork: networking?.serviceNetwork ?? [],
      ...(networking?.apiServer?.advertiseAddress ? { advertiseAddress: networking.apiServer.advertiseAddress } : {}),
      ...(networking?.apiServer?.port ? { port: networking.apiServer.port } : {}),
    }),
    haproxyImage: annotationOf(pool, 'haproxyImage') ?? images.get('haproxy-router') ?? '',
    controlPlaneOperatorImage: controlPlaneOperator.image,
    clusterId: cluster.spec.clusterID ?? '',
    platform: platform.type,
    ...(proxy.httpsProxy ? { httpsProxy: proxy.httpsProxy } : {}),
    ...(proxy.noProxy ? { noProxy: proxy.noProxy } : {}),
    ...(service ? { serviceNetwork: service.cidr } : {}),
    ...(pods ? { clusterNetwork: pods.cidr } : {}),
  };
}

function intentOf(facts: RolloutFacts): PoolIntent {
  const { pool, cluster, release } = facts;
  const proxy = apiServerProxy(facts);
  const { additionalTrustBundle, configuration, pullSecret, imageContentSources } = cluster.spec;
  return {
    releaseVersion: release.version,
    pullSecretName: pullSecret.name ?? '',
    ...(additionalTrustBundle?.name ? { additionalTrustBundleName: additionalTrustBundle.name } : {}),
    ...(configuration ? { configuration: configuration as NodeConfiguration } : {}), // Its API shape, read only.
    networks: clusterNetworks(cluster),
    hasImageContentSources: (imageContentSources ?? []).length > 0,
    ...(pool.spec.osImageStream?.name ? { osImageStream: pool.spec.osImageStream.name } : {}),
    ...(proxy ? { apiServerProxy: proxy } : {}),
    core: facts.core,
    user: facts.user,
    tuning: facts.tuning,
  };
}

/** Hashes that nodes run or are on their way to. */
function hashesInUse({
  pool,
  machineDeployment,
  machineSet,
}: Pick<RolloutFacts, 'pool' | 'machineDeployment' | 'machineSet'>): readonly string[] {
  const prefix = `user-data-${pool.metadata.name}-`;
  const secret = (isInPlace(pool) ? machineSet : machineDeployment)?.spec.template?.spec.bootstrap.dataSecretName ?? '';
  return [
    annotationOf(pool, 'nodePoolCurrentConfigVersion'),
    machineSet?.metadata.annotations?.[annotations.nodePoolTargetConfigVersion.key],
    secret.startsWith(prefix) ? secret.slice(prefix.length) : undefined,
  ].filter((hash) => hash !== undefined);
}

/** Everything wrong with the documents of a rollout that no machine runs yet. */
class UnusableConfig extends Error {
  override readonly name = 'UnusableConfig';
  readonly retry = 'after-user-change';
}

/** What a pool should run, and how that is remembered. */
export interface PoolRollout extends RolloutTarget {
  /** Value of the annotation that remembers it. */
  readonly mark: string;
  /** Nodes run it already, or are on their way to it. */
  readonly isInUse: boolean;
}

/** Nothing of the pool is under way, so what nodes run is what its owner wanted. */
const isSettled = (facts: RolloutFacts, current: string | undefined): boolean =>
  facts.pool.status?.version === facts.release.version && hashesInUse(facts).every((hash) => hash === current);

/**
 * The hash under which nodes run what the pool should run although another one is computed here; undefined when a user
 * asked for something else.
 */
function keptHash(facts: RolloutFacts, inUse: readonly string[], intents: Intents): string | undefined {
  const mark = markOf(facts.pool);
  const intent = mark && intents[mark.version];
  if (mark && intent !== undefined) return intent === mark.intent && inUse.includes(mark.hash) ? mark.hash : undefined;
  // Another operator made the pool, or a build that reads intents in a way unknown here.
  const current = annotationOf(facts.pool, 'nodePoolCurrentConfigVersion');
  return isSettled(facts, current) ? current : undefined;
}

/** The intent of the pool, as each known version reads it. */
type Intents = { readonly [version: string]: string | undefined };

/**
 * What the pool should run. Throws what is wrong with its config; what nodes already run is not judged again, so that a
 * stricter operator never stops a pool that works.
 *
 * A build may compute another hash for the same intent: another operator, or a newer one of ours. Then what the pool
 * should run is what it runs, until a user changes something: a difference between builds is no reason to replace a node.
 */
export function poolRollout(facts: RolloutFacts): PoolRollout {
  const { pool } = facts;
  const inUse = hashesInUse(facts);
  const wanted = intentOf(facts);
  const target = rolloutTarget(rolloutFormats, wanted, inUse);
  const intent = userIntent(wanted, annotationOf(pool, 'haproxyImage'));
  const mark = markText(intent, target.hash);
  if (inUse.includes(target.hash)) return { ...target, mark, isInUse: true };
  const kept = keptHash(facts, inUse, { [hashAsIntent]: target.hash, [userIntentVersion]: intent });
  if (kept) {
    const isCurrent = annotationOf(pool, 'nodePoolCurrentConfigVersion') === kept;
    const configHash = (isCurrent && annotationOf(pool, 'nodePoolCurrentConfig')) || target.configHash;
    return { ...target, hash: kept, configHash, mark: markText(intent, kept), isInUse: true };
  }
  const problems = configProblems(target.inputs.rawConfig);
  if (problems.length > 0)
    throw new UnusableConfig(
      `${problems.join('; ')}; correct the ConfigMaps in spec.config, nodes stay as they are until then`,
    );
  return { ...target, mark, isInUse: false };
}

interface Progress {
  readonly pool: NodePool;
  readonly rollout: RolloutTarget;
  readonly machineSet: capiv1beta1.MachineSet | undefined;
}

function updating(
  type: 'UpdatingConfig' | 'UpdatingVersion',
  isUpdating: boolean,
  message: string,
  { pool, machineSet }: Progress,
): PoolVerdict {
  if (!isUpdating) return fails(type, 'AsExpected', '');
  const marks = isInPlace(pool) ? machineSet?.metadata.annotations : undefined;
  const failed = marks?.[annotations.nodePoolUpgradeInProgressFalse.key];
  if (failed !== undefined) return fails(type, 'InplaceUpgradeFailed', failed);
  return holds(type, marks?.[annotations.nodePoolUpgradeInProgressTrue.key] ?? message);
}

/** UpdatingConfig and UpdatingVersion. */
export function updatingVerdicts(progress: Progress): readonly PoolVerdict[] {
  const { pool, rollout } = progress;
  const isOtherVersion = pool.status?.version !== rollout.inputs.releaseVersion;
  // Proxy, image and TLS settings of the cluster roll nodes too, but are in the whole hash only.
  const isOtherConfig =
    annotationOf(pool, 'nodePoolCurrentConfig') !== rollout.configHash ||
    (!isOtherVersion && annotationOf(pool, 'nodePoolCurrentConfigVersion') !== rollout.hash);
  return [
    updating(
      'UpdatingConfig',
      isOtherConfig,
      `Updating config in progress. Target config: ${rollout.configHash}`,
      progress,
    ),
    updating(
      'UpdatingVersion',
      isOtherVersion,
      `Updating version in progress. Target version: ${rollout.inputs.releaseVersion}`,
      progress,
    ),
  ];
}

/** Annotations of a pool whose nodes all run the rollout. */
export const completed = ({ configHash, hash, mark }: PoolRollout): { readonly [key: string]: string } => ({
  [annotations.nodePoolCurrentConfig.key]: configHash,
  [annotations.nodePoolCurrentConfigVersion.key]: hash,
  [rolloutMark]: mark,
});
