import {
  type HostedCluster,
  type HostedControlPlane,
  hostedClusters,
  hostedControlPlanes,
  type NodePool,
  type OperatorFacts,
} from '@hypershift-ts/hypershift-api';
import type { OperatorSettings } from '@hypershift-ts/hypershift-control-plane';
import { type Platform, platformFor, platforms, type PlatformType } from '@hypershift-ts/hypershift-platforms';
import {
  type ControlPlaneOperator,
  controlPlaneReleaseImageOf,
  type LookupOptions,
  type ReleaseImage,
  type ReleaseProvider,
  resolveControlPlaneOperator,
} from '@hypershift-ts/hypershift-release';
import { corev1, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { getIfPresent, type ReconcileContext } from '@hypershift-ts/kube-controller';
import type { ManagementCapabilities } from '../capabilities/index.ts';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import type { SecurityContextUids } from '../namespace/index.ts';
import type { OidcDocuments } from '../oidc/index.ts';
import { PullSecretMissing } from '../version/index.ts';
import { nodePoolsOf } from './indexes.ts';
import { find } from './live.ts';

/** What the operator was started with. */
export interface HostedClusterOptions {
  /** Where the operator itself lives. */
  readonly namespace: string;
  readonly releases: ReleaseProvider;
  /** Image with the token minter and, where a release lacks it, the control plane operator. */
  readonly operatorImage: string;
  readonly providerImages?: { readonly [type in PlatformType]?: string };
  readonly capabilities: ManagementCapabilities;
  readonly operator: OperatorFacts;
  /** What control plane operators are told through their environment. */
  readonly settings?: OperatorSettings;
  /** How images are found where registries are replaced or mirrored. */
  readonly lookup?: Pick<LookupOptions, 'registryOverrides' | 'imageMirrors'>;
  readonly clusterMonitoring?: boolean;
  /** Ranges that egress policies block instead of the addresses of the management cluster's API servers. */
  readonly egressBlockCidrs?: readonly string[];
  /** Where the documents that clouds trust clusters by are published; absent where the operator was given no place. */
  readonly oidcDocuments?: OidcDocuments;
  /** User ids for the pods of control planes; absent where the management cluster assigns them. */
  readonly uids?: SecurityContextUids | undefined;
  readonly random: () => number;
  readonly uuid: () => string;
  /** For keys; must be unpredictable. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/** One cluster as it was found; steps get this and a client to write with. */
export interface HostedClusterScope {
  readonly cluster: HostedCluster;
  readonly platform: Platform;
  readonly namespace: string;
  readonly hostedControlPlane: HostedControlPlane | undefined;
  readonly nodePools: readonly NodePool[];
  readonly release: ReleaseImage | Error;
  /** Why the control plane operator's image could not be read, or undefined while the release cannot. */
  readonly controlPlaneOperator: ControlPlaneOperator | Error | undefined;
  readonly options: HostedClusterOptions;
}

const errorOf = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

/** The pull secret's content for a registry, or why there is none. */
async function lookupOptions(
  cluster: HostedCluster,
  context: ReconcileContext,
  { lookup }: HostedClusterOptions,
): Promise<LookupOptions | PullSecretMissing> {
  const { namespace = '' } = cluster.metadata;
  const name = cluster.spec.pullSecret.name ?? '';
  const secret = await find(context, corev1.secrets, { namespace, name });
  if (!secret) return new PullSecretMissing(namespace, name);
  const pullSecret = Buffer.from(secret.data?.['.dockerconfigjson'] ?? '', 'base64').toString('utf8');
  return { ...lookup, pullSecret, signal: context.signal };
}

interface Releases {
  readonly release: ReleaseImage | Error;
  readonly controlPlaneOperator: ControlPlaneOperator | Error | undefined;
}

/** The release of the control plane and its operator, or why they could not be read. */
async function readReleases(
  cluster: HostedCluster,
  context: ReconcileContext,
  options: HostedClusterOptions,
): Promise<Releases> {
  const { releases, operatorImage } = options;
  const found = await lookupOptions(cluster, context, options);
  if (found instanceof Error) return { release: found, controlPlaneOperator: undefined };
  let release: ReleaseImage;
  try {
    release = await releases.lookup(controlPlaneReleaseImageOf(cluster.spec), found);
  } catch (cause) {
    return { release: errorOf(cause), controlPlaneOperator: undefined };
  }
  const { annotations, namespace, name } = cluster.metadata;
  const facts = { release, annotations, operatorImage, hostedCluster: `${namespace}/${name}` };
  const controlPlaneOperator = await resolveControlPlaneOperator(releases, facts, found).catch(errorOf);
  return { release, controlPlaneOperator };
}

/** A platform nobody knows is reported by the validation; meanwhile nothing platform specific is done. */
function knownPlatform(type: PlatformType): Platform {
  return platforms.find((platform) => platform.type === type) ?? platformFor('None');
}

export async function loadScope(
  key: ObjectKey,
  context: ReconcileContext,
  options: HostedClusterOptions,
): Promise<HostedClusterScope | undefined> {
  // Asked for, not taken from memory: a decision about identity or deletion must not be made on an old view.
  const cluster = await getIfPresent(context.client, hostedClusters, key, { signal: context.signal });
  if (!cluster?.spec) return undefined;
  const namespace = controlPlaneNamespaceOf(cluster);
  const name = cluster.metadata.name ?? '';
  const deleting = cluster.metadata.deletionTimestamp !== undefined;
  return {
    cluster,
    platform: knownPlatform(cluster.spec.platform?.type),
    namespace,
    hostedControlPlane: await find(context, hostedControlPlanes, { namespace, name }),
    nodePools: nodePoolsOf(cluster, context.cache),
    // Deletion must not depend on a registry.
    ...(deleting
      ? { release: new Error('the cluster is being deleted'), controlPlaneOperator: undefined }
      : await readReleases(cluster, context, options)),
    options,
  };
}
