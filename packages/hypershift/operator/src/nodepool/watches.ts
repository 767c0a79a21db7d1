/** What wakes a NodePool besides itself. */
import { annotations, type HostedCluster, hostedClusters, labels } from '@hypershift-ts/hypershift-api';
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
import { ignitionCASecret } from './ignition.ts';
import { machineKinds } from './machine-events.ts';
import { poolsNaming, poolsOfCluster, poolsOfClustersNaming, poolsOfControlPlane } from './indexes.ts';

const cloudConfigs = new Set(['azure-cloud-config', 'openstack-cloud-config']);

/** The pool an object was made for. */
function madeFor({ metadata }: KubeObject): readonly ObjectKey[] | undefined {
  const key = metadata.annotations?.[annotations.nodePool.key];
  return key ? [parseKey(key)] : undefined;
}

/** Who reads a Secret: the pool it was made for, all pools of a control plane, or those of a cluster that names it. */
function secretReaders(secret: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const made = madeFor(secret);
  if (made) return made;
  const { name, namespace = '' } = secret.metadata;
  if (name === ignitionCASecret) return poolsOfControlPlane(namespace, cache);
  return poolsOfClustersNaming(secret, cache);
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
  return madeFor(object) ?? [...poolsNaming(object, cache), ...poolsOfClustersNaming(object, cache)];
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
  { type: hostedClusters, predicate: clusterChanges, map: (cluster, { cache }) => poolsOfCluster(cluster, cache) },
  made(capiv1beta1.machinehealthchecks, remediationChanges),
  // Kept in memory here; machineEvents tells the pools.
  ...machineKinds.map((type): WatchSource => ({ type, map: () => undefined })),
  { type: corev1.secrets, map: (secret, { cache }) => secretReaders(secret, cache) },
  { type: corev1.configmaps, map: (configMap, { cache }) => configMapReaders(configMap, cache) },
];
