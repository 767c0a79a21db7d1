import {
  annotationPrefixes,
  annotations,
  controlPlaneComponents,
  type HostedCluster,
  hostedClusters,
  hostedControlPlanes,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import { routes, workloadVerdict } from '@hypershift-ts/hypershift-control-plane';
import { platforms } from '@hypershift-ts/hypershift-platforms';
import {
  appsv1,
  type Condition,
  corev1,
  jsonEqual,
  type KubeObject,
  networkingv1,
  type ObjectKey,
  parseKey,
  rbacv1,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Predicate, WatchSource } from '@hypershift-ts/kube-controller';
import type { ManagementCapabilities } from '../capabilities/index.ts';
import { clusterApiClusters } from '../cluster-api/index.ts';
import { autoNodeComponents } from '../conditions/index.ts';
import { sharedConfigMaps } from '../monitoring/index.ts';
import { clustersNaming, clustersWithInfraID } from './indexes.ts';

const { prefix } = annotationPrefixes.referencedResource;

/** The clusters an object says it concerns: the one it was made for, and those that read it. */
function clustersOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const owner = metadata.annotations?.[annotations.cluster.key];
  const readers = Object.keys(metadata.annotations ?? {})
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ namespace: metadata.namespace ?? '', name: key.slice(prefix.length) }));
  return owner ? [parseKey(owner), ...readers] : readers;
}

/** The cluster whose control plane lives in a namespace. */
function clusterOfNamespace(name: string | undefined, cache: InformerCache): readonly ObjectKey[] {
  const owner = name && cache.get(corev1.namespaces, { name })?.metadata.annotations?.[annotations.cluster.key];
  return owner ? [parseKey(owner)] : [];
}

const operators = ['control-plane-operator', 'cluster-api', 'capi-provider'];
/**
 * Objects of the control plane itself that are looked at. It has hundreds of them: whatever is not named here wakes
 * nobody.
 */
const watchedNames: { readonly [kind: string]: ReadonlySet<string> } = {
  Deployment: new Set([...operators, 'ignition-server']),
  ControlPlaneComponent: new Set([...operators, ...autoNodeComponents]),
  ServiceAccount: new Set(operators),
  Role: new Set(operators),
  RoleBinding: new Set(operators),
  Service: new Set(['ignition-server', 'ignition-server-proxy']),
  Route: new Set(['ignition-server']),
  Secret: new Set([
    'admin-kubeconfig',
    'custom-admin-kubeconfig',
    'kubeadmin-password',
    'service-network-admin-kubeconfig',
    'sa-signing-key',
  ]),
};

type Map = WatchSource['map'];

const isOfControlPlane = ({ metadata }: KubeObject): boolean =>
  metadata.ownerReferences?.some(({ kind }) => kind === 'HostedControlPlane') ?? false;

const said: Map = (object) => clustersOf(object);
/** By what the object says, else by its namespace where its name matters. */
const looked: Map = (object, { cache }) => {
  const isNamed = watchedNames[object.kind]?.has(object.metadata.name ?? '') ?? false;
  if (!isNamed && isOfControlPlane(object)) return [];
  const known = clustersOf(object);
  return known.length > 0 || !isNamed ? known : clusterOfNamespace(object.metadata.namespace, cache);
};
const named: Map = (object, context) => [
  ...((looked(object, context) as readonly ObjectKey[] | undefined) ?? []),
  ...clustersNaming(object, context.cache),
];
const inNamespace: Map = ({ metadata }, { cache }) => clusterOfNamespace(metadata.namespace, cache);

const watch = (type: ResourceType<KubeObject>, map: Map): WatchSource => ({ type, map, gatherMsOf });

/**
 * Whether what an object holds is different. Every cluster marks the Secrets it reads; a mark is no reason to look at
 * all the other clusters that read the same one.
 */
const contentChanged: Predicate = {
  updated(previous, next) {
    const { metadata: was, ...before } = previous;
    const { metadata: is, ...after } = next;
    return (
      was.deletionTimestamp !== is.deletionTimestamp ||
      !jsonEqual(was.labels ?? {}, is.labels ?? {}) ||
      !jsonEqual(before, after)
    );
  },
};
/**
 * Whether a cluster changed in a way that leads anywhere: conditions are what a look at it ends with, and nothing
 * begins with them.
 */
export const clusterChanged: Predicate<HostedCluster> = {
  updated(previous, next) {
    const { metadata: was } = previous;
    const { metadata: is } = next;
    return (
      was.generation !== is.generation ||
      was.deletionTimestamp !== is.deletionTimestamp ||
      !jsonEqual(was.labels ?? {}, is.labels ?? {}) ||
      !jsonEqual(was.annotations ?? {}, is.annotations ?? {}) ||
      !jsonEqual(was.finalizers ?? [], is.finalizers ?? []) ||
      !jsonEqual({ ...previous.status, conditions: [] }, { ...next.status, conditions: [] })
    );
  },
};

/** How long changes wait for others of the same cluster; a control plane that starts makes many every second. */
export const gatherMs = 50;
const patienceMs = 1000;

interface Reported {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly [field: string]: unknown };
}

/** What an object says besides words. */
function stateOf(object: KubeObject) {
  const { status } = object as KubeObject & Reported;
  return { ...status, conditions: status?.conditions?.map(({ type, status: is }) => [type, is]) };
}

/** A change of words, or of replicas that make no difference yet, waits longer. */
function gatherMsOf(object: KubeObject, previous?: KubeObject): number {
  if (!previous || object.metadata.generation !== previous.metadata.generation) return gatherMs;
  // Of pools only what is asked for matters.
  if (object.kind === nodePools.kind) return patienceMs;
  const isSame =
    object.kind === appsv1.deployments.kind
      ? jsonEqual(availabilityOf(object), availabilityOf(previous))
      : object.metadata.generation !== undefined && jsonEqual(stateOf(object), stateOf(previous));
  return isSame ? patienceMs : gatherMs;
}

function availabilityOf(deployment: KubeObject) {
  const { available, rolledOut } = workloadVerdict('Deployment', deployment);
  return [available.status, rolledOut.status];
}

const watchContent = (type: ResourceType<KubeObject>, map: Map): WatchSource => ({
  type,
  map,
  predicate: contentChanged,
});

const sameInfrastructure: Map = (object, { cache }) => {
  const { spec, metadata } = object as { spec?: { infraID?: string }; metadata: KubeObject['metadata'] };
  if (!spec?.infraID) return [];
  const others = clustersWithInfraID(spec.infraID, cache).filter((other) => other.metadata.uid !== metadata.uid);
  return others.map((other) => ({ namespace: other.metadata.namespace ?? '', name: other.metadata.name ?? '' }));
};

const clusterOfPool: Map = (object) => {
  const { spec, metadata } = object as { spec?: { clusterName?: string }; metadata: KubeObject['metadata'] };
  return spec?.clusterName ? [{ namespace: metadata.namespace ?? '', name: spec.clusterName }] : undefined;
};

/** ConfigMaps every control plane has a copy of concern every cluster; they hardly ever change. */
function orShared(operatorNamespace: string): Map {
  const shared = new Set(sharedConfigMaps(operatorNamespace).map(({ from }) => `${from.namespace}/${from.name}`));
  return (object, context) => {
    const { namespace, name } = object.metadata;
    if (!shared.has(`${namespace}/${name}`)) return named(object, context);
    return context.cache.list(hostedClusters).map(({ metadata }) => parseKey(`${metadata.namespace}/${metadata.name}`));
  };
}

/** What wakes a HostedCluster besides itself. */
export function hostedClusterWatches(
  capabilities: ManagementCapabilities,
  operatorNamespace: string,
): readonly WatchSource[] {
  const connectivity = platforms.flatMap(({ traits }) => traits.privateConnectivity?.type ?? []);
  const optional = [clusterApiClusters, routes, ...connectivity] as readonly ResourceType<KubeObject>[];
  return [
    watch(hostedClusters, sameInfrastructure),
    watch(hostedControlPlanes, said),
    watch(nodePools, clusterOfPool),
    watch(appsv1.deployments, looked),
    watch(controlPlaneComponents, looked),
    watchContent(corev1.secrets, named),
    watchContent(corev1.configmaps, orShared(operatorNamespace)),
    watch(corev1.namespaces, said),
    watch(corev1.serviceaccounts, looked),
    watch(corev1.services, looked),
    watch(rbacv1.roles, looked),
    watch(rbacv1.rolebindings, looked),
    watch(rbacv1.clusterroles, said),
    watch(rbacv1.clusterrolebindings, said),
    watch(networkingv1.networkpolicies, said),
    ...optional
      .filter((type) => capabilities.serves(type))
      .map((type) => watch(type, type === routes ? looked : inNamespace)),
  ];
}
