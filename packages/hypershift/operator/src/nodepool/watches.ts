/** What wakes a NodePool besides itself. */
import { annotations, type HostedCluster, hostedClusters, labels, nodePools } from '@hypershift-ts/hypershift-api';
import {
  corev1,
  findCondition,
  jsonEqual,
  type KubeObject,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Predicate, WatchSource } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import { ignitionCASecret } from './ignition.ts';

const cloudConfigs = new Set(['azure-cloud-config', 'openstack-cloud-config']);

/** The pool an object was made for. */
function madeFor({ metadata }: KubeObject): readonly ObjectKey[] | undefined {
  const key = metadata.annotations?.[annotations.nodePool.key];
  return key ? [parseKey(key)] : undefined;
}

function poolsOf({ metadata }: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const { namespace = '', name = '' } = metadata;
  return cache
    .list(nodePools, namespace)
    .filter(({ spec }) => spec?.clusterName === name)
    .map((pool) => ({ namespace, name: pool.metadata.name ?? '' }));
}

/** All pools of the cluster whose control plane lives in a namespace. */
function poolsOfControlPlane(namespace: string, cache: InformerCache): readonly ObjectKey[] {
  return cache
    .list(hostedClusters)
    .filter((cluster) => controlPlaneNamespaceOf(cluster) === namespace)
    .flatMap((cluster) => poolsOf(cluster, cache));
}

/** Pools that name a ConfigMap. */
function readersOf({ metadata }: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const { namespace = '', name = '' } = metadata;
  return cache
    .list(nodePools, namespace)
    .filter(({ spec }) => [...(spec?.config ?? []), ...(spec?.tuningConfig ?? [])].some((one) => one.name === name))
    .map((pool) => ({ namespace, name: pool.metadata.name ?? '' }));
}

/** Pools of the clusters that name an object beside them. */
function poolsOfReaders(
  { metadata }: KubeObject,
  namesOf: (cluster: HostedCluster) => readonly (string | undefined)[],
  cache: InformerCache,
): readonly ObjectKey[] {
  return cache
    .list(hostedClusters, metadata.namespace)
    .filter((cluster) => cluster.spec && namesOf(cluster).includes(metadata.name))
    .flatMap((cluster) => poolsOf(cluster, cache));
}

/** Who reads a Secret: the pool it was made for, all pools of a control plane, or those of a cluster that names it. */
function secretReaders(secret: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const made = madeFor(secret);
  if (made) return made;
  const { name, namespace = '' } = secret.metadata;
  if (name === ignitionCASecret) return poolsOfControlPlane(namespace, cache);
  return poolsOfReaders(secret, ({ spec, status }) => [spec.pullSecret.name, status?.kubeconfig?.name], cache);
}

const ofEveryPool = new Set<string>([labels.coreIgnitionConfig.key]);
const ofOnePool = new Set<string>([
  labels.ntoGeneratedMachineConfig.key,
  labels.ntoGeneratedPerformanceProfileStatus.key,
]);

function configMapReaders(object: KubeObject, cache: InformerCache): readonly ObjectKey[] | undefined {
  const { namespace = '', name = '', labels: marks = {} } = object.metadata;
  const keys = Object.keys(marks);
  if (keys.some((key) => ofEveryPool.has(key)) || cloudConfigs.has(name)) return poolsOfControlPlane(namespace, cache);
  if (keys.some((key) => ofOnePool.has(key)))
    return poolsOfControlPlane(namespace, cache).filter((pool) => pool.name === marks[labels.nodePool.key]);
  const bundles = poolsOfReaders(object, ({ spec }) => [spec.additionalTrustBundle?.name], cache);
  return madeFor(object) ?? [...readersOf(object, cache), ...bundles];
}

/** What pools read of their cluster; its status changes far more often than that. */
const readOfCluster = ({ metadata, spec, status }: HostedCluster) => ({
  annotations: metadata.annotations,
  spec,
  version: status?.version,
  ignition: status?.ignitionEndpoint,
  kubeconfig: status?.kubeconfig,
  arch: status?.payloadArch,
  platform: status?.platform,
});

const clusterChanges: Predicate<HostedCluster> = {
  updated: (before, after) => !jsonEqual(readOfCluster(before), readOfCluster(after)),
};

const remediation = ({ status }: capiv1beta1.MachineHealthCheck) => {
  const { status: allowed, reason, message } = findCondition(status?.conditions, 'RemediationAllowed') ?? {};
  return { allowed, reason, message };
};

const remediationChanges: Predicate<capiv1beta1.MachineHealthCheck> = {
  updated: (before, after) => !jsonEqual(remediation(before), remediation(after)),
};

const made = <T extends KubeObject>(type: ResourceType<T>, predicate?: Predicate<T>): WatchSource<T> => ({
  type,
  map: madeFor,
  ...(predicate ? { predicate } : {}),
});

export const nodePoolWatches: readonly [
  WatchSource<HostedCluster>,
  WatchSource<capiv1beta1.MachineHealthCheck>,
  ...WatchSource[],
] = [
  { type: hostedClusters, predicate: clusterChanges, map: (cluster, { cache }) => poolsOf(cluster, cache) },
  made(capiv1beta1.machinehealthchecks, remediationChanges),
  made<KubeObject>(capiv1beta1.machinedeployments),
  made<KubeObject>(capiv1beta1.machinesets),
  made<KubeObject>(capiv1beta1.machines),
  { type: corev1.secrets, map: (secret, { cache }) => secretReaders(secret, cache) },
  { type: corev1.configmaps, map: (configMap, { cache }) => configMapReaders(configMap, cache) },
];
