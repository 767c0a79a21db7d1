/** The reads of the NodePool controller; almost all from memory, since what it reads it also watches. */
import { type HostedCluster, labels, type NodePool } from '@hypershift-ts/hypershift-api';
import type { ConfigSource } from '@hypershift-ts/hypershift-ignition';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import {
  controlPlaneReleaseImageOf,
  type ReleaseImage,
  resolveControlPlaneOperator,
} from '@hypershift-ts/hypershift-release';
import { corev1, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { parseKubeconfig } from '@hypershift-ts/kube-client';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import { madeForPool } from './indexes.ts';
import { PoolReport } from './report.ts';
import { hasNodeTuning, type NodePoolOptions, poolKeyOf, type PoolScope } from './scope.ts';

const nodePoolAnnotation = 'hypershift.openshift.io/nodePool';

/** Whether an object was made for the pool. */
export const isMadeFor = ({ metadata }: KubeObject, key: string): boolean =>
  metadata.annotations?.[nodePoolAnnotation] === key;

function olderFirst({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const [first = '', second = ''] = [a.creationTimestamp, b.creationTimestamp];
  if (first !== second) return first < second ? -1 : 1;
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}

/** The machines of a pool, oldest first. */
export function machinesOf(key: string, namespace: string, { cache }: ReconcileContext): capiv1beta1.Machine[] {
  return madeForPool(capiv1beta1.machines, key, namespace, cache).toSorted(olderFirst);
}

/** The pool with what surrounds it. */
export function loadPool(
  pool: NodePool,
  cluster: HostedCluster,
  context: ReconcileContext,
  options: NodePoolOptions,
): PoolScope {
  const { cache } = context;
  const namespace = controlPlaneNamespaceOf(cluster);
  const { name } = poolKeyOf(pool);
  const key = `${pool.metadata.namespace}/${name}`;
  return {
    pool,
    cluster,
    platform: platformFor(pool.spec.platform.type),
    namespace,
    key,
    machines: machinesOf(key, namespace, context),
    machineDeployment: cache.get(capiv1beta1.machinedeployments, { namespace, name }),
    machineSet: cache.get(capiv1beta1.machinesets, { namespace, name }),
    report: new PoolReport(),
    options,
    found: {},
  };
}

/** The pull secret of the cluster; throws when it is not there or has no credentials. */
export function readPullSecret({ metadata, spec }: HostedCluster, { cache }: ReconcileContext): corev1.Secret {
  const key = { namespace: metadata.namespace ?? '', name: spec.pullSecret.name ?? '' };
  const at = `pull secret ${key.namespace}/${key.name}`;
  const secret = cache.get(corev1.secrets, key);
  if (!secret) throw new Error(`${at} does not exist; create it, or correct spec.pullSecret.name of the HostedCluster`);
  if (!secret.data?.['.dockerconfigjson'])
    throw new Error(`${at} has no key .dockerconfigjson; create it with --type kubernetes.io/dockerconfigjson`);
  return secret;
}

/** Certificates that nodes trust beyond the usual; empty when the cluster has none. */
export function readTrustBundle({ metadata, spec }: HostedCluster, { cache }: ReconcileContext): string {
  const name = spec.additionalTrustBundle?.name;
  if (!name) return '';
  const key = { namespace: metadata.namespace ?? '', name };
  const bundle = cache.get(corev1.configmaps, key)?.data?.['ca-bundle.crt'];
  if (bundle === undefined)
    throw new Error(`ConfigMap ${key.namespace}/${name} of spec.additionalTrustBundle has no key ca-bundle.crt`);
  return bundle;
}

/** The releases of pool and control plane, and the operator that runs the latter. */
export async function readReleases(
  { pool, cluster, options }: PoolScope,
  pullSecret: corev1.Secret,
  { signal }: ReconcileContext,
): Promise<{
  readonly release: ReleaseImage;
  readonly clusterRelease: ReleaseImage;
  readonly operator: Awaited<ReturnType<typeof resolveControlPlaneOperator>>;
}> {
  const credentials = Buffer.from(pullSecret.data?.['.dockerconfigjson'] ?? '', 'base64').toString('utf8');
  const lookup = { ...options.lookup, pullSecret: credentials, signal };
  const [release, clusterRelease] = await Promise.all([
    options.releases.lookup(pool.spec.release.image, lookup),
    options.releases.lookup(controlPlaneReleaseImageOf(cluster.spec), lookup),
  ]);
  const { metadata } = cluster;
  const operator = await resolveControlPlaneOperator(
    options.releases,
    {
      release: clusterRelease,
      annotations: metadata.annotations,
      operatorImage: options.operatorImage,
      hostedCluster: `${metadata.namespace}/${metadata.name}`,
    },
    lookup,
  );
  return { release, clusterRelease, operator };
}

/** What was read from a Secret; a cache hands out the same object until it changes. */
const servers = new WeakMap<corev1.Secret, string>();

/** Where clients of the hosted cluster find its API server. */
export function readApiServerUrl({ metadata, status }: HostedCluster, { cache }: ReconcileContext): string | undefined {
  const name = status?.kubeconfig?.name;
  if (!name) return undefined;
  const secret = cache.get(corev1.secrets, { namespace: metadata.namespace ?? '', name });
  if (!secret?.data?.['kubeconfig']) return undefined;
  const known = servers.get(secret);
  if (known !== undefined) return known;
  const text = Buffer.from(secret.data['kubeconfig'], 'base64').toString('utf8');
  const server = parseKubeconfig(text, name, '/').clusters?.[0]?.cluster?.server;
  if (server) servers.set(secret, server);
  return server;
}

const asSource = ({ metadata, data }: corev1.ConfigMap): ConfigSource => ({
  name: metadata.name ?? '',
  ...(data ? { data } : {}),
});

/** The ConfigMaps that the configuration of a pool is made of. Throws when one that the user named is not there. */
export function readConfigSources(
  { pool, cluster, namespace }: PoolScope,
  { cache }: ReconcileContext,
): {
  readonly core: readonly ConfigSource[];
  readonly user: readonly ConfigSource[];
  readonly tuning: readonly ConfigSource[];
} {
  const all = cache.list(corev1.configmaps, namespace);
  const labelled = (key: string) => all.filter(({ metadata }) => metadata.labels?.[key] === 'true');
  const own = poolKeyOf(pool);
  const missing: string[] = [];
  const user = (pool.spec.config ?? []).flatMap(({ name }) => {
    const found = cache.get(corev1.configmaps, { namespace: own.namespace, name });
    if (!found) missing.push(`${own.namespace}/${name}`);
    return found ? [asSource(found)] : [];
  });
  if (missing.length > 0)
    throw new Error(
      `ConfigMap ${missing.join(', ')} of spec.config not found; create it with the configuration under key "config", or remove it from spec.config`,
    );
  return {
    core: labelled(labels.coreIgnitionConfig.key).map(asSource),
    user,
    tuning: (hasNodeTuning(cluster) ? labelled(labels.ntoGeneratedMachineConfig.key) : [])
      .filter(({ metadata }) => metadata.labels?.[nodePoolAnnotation] === own.name)
      .map(asSource),
  };
}
