import {
  type HostedCluster,
  type HostedControlPlane,
  hostedClusters,
  hostedControlPlanes,
  type NodePool,
  nodePools,
  type OperatorFacts,
} from '@hypershift-ts/hypershift-api';
import { type Platform, platformFor, type PlatformType } from '@hypershift-ts/hypershift-platforms';
import {
  type ControlPlaneOperator,
  controlPlaneReleaseImageOf,
  type ReleaseImage,
  type ReleaseProvider,
  resolveControlPlaneOperator,
} from '@hypershift-ts/hypershift-release';
import { corev1, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { getIfPresent, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import { PullSecretMissing } from '../version/index.ts';

/** What the operator was started with. */
export interface HostedClusterOptions {
  readonly releases: ReleaseProvider;
  /** Image with the token minter and, where a release lacks it, the control plane operator. */
  readonly operatorImage: string;
  readonly providerImages?: { readonly [type in PlatformType]?: string };
  /** Whether the management cluster has the Route API. */
  readonly hasRoutes: boolean;
  readonly operator: OperatorFacts;
  readonly clusterMonitoring?: boolean;
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
  /** Undefined while the release cannot be read. */
  readonly controlPlaneOperator: ControlPlaneOperator | undefined;
  readonly options: HostedClusterOptions;
}

/** The release of the control plane, or why it could not be read. */
async function readRelease(
  cluster: HostedCluster,
  { client, signal }: ReconcileContext,
  { releases }: HostedClusterOptions,
): Promise<ReleaseImage | Error> {
  const { namespace = '' } = cluster.metadata;
  const name = cluster.spec.pullSecret.name ?? '';
  const secret = await getIfPresent(client, corev1.secrets, { namespace, name }, { signal });
  if (!secret) return new PullSecretMissing(namespace, name);
  try {
    const encoded = secret.data?.['.dockerconfigjson'] ?? '';
    const pullSecret = Buffer.from(encoded, 'base64').toString('utf8');
    return await releases.lookup(controlPlaneReleaseImageOf(cluster.spec), { pullSecret, signal });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The control plane operator of the release, with what its image can do. */
async function operatorOf(
  { metadata }: HostedCluster,
  release: ReleaseImage | Error,
  { signal }: ReconcileContext,
  { releases, operatorImage }: HostedClusterOptions,
): Promise<ControlPlaneOperator | undefined> {
  if (release instanceof Error) return undefined;
  const hostedCluster = `${metadata.namespace}/${metadata.name}`;
  const facts = { release, annotations: metadata.annotations, operatorImage, hostedCluster };
  return resolveControlPlaneOperator(releases, facts, { signal });
}

export async function loadScope(
  key: ObjectKey,
  context: ReconcileContext,
  options: HostedClusterOptions,
): Promise<HostedClusterScope | undefined> {
  const { client, signal } = context;
  const cluster = await getIfPresent(client, hostedClusters, key, { signal });
  if (!cluster?.spec) return undefined;
  const namespace = controlPlaneNamespaceOf(cluster);
  const name = cluster.metadata.name ?? '';
  const [hostedControlPlane, pools, release] = await Promise.all([
    getIfPresent(client, hostedControlPlanes, { namespace, name }, { signal }),
    client.list(nodePools, { namespace: cluster.metadata.namespace ?? '', signal }),
    readRelease(cluster, context, options),
  ]);
  return {
    cluster,
    platform: platformFor(cluster.spec.platform.type),
    namespace,
    hostedControlPlane,
    nodePools: pools.items.filter(({ spec }) => spec?.clusterName === name),
    release,
    controlPlaneOperator: await operatorOf(cluster, release, context, options),
    options,
  };
}
