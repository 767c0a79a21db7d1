import type { corev1, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, isAlreadyExists, isNotFound, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import { isNamespaceTerminating } from '../workload/pod-control.ts';
import { isPodReady } from '../workload/pod-state.ts';
import { canonicalJson } from '../workload/pod-template.ts';
import {
  backendPods,
  endpointChanged,
  endpointGatherMs,
  hostnameIn,
  isHeadless,
  portsIn,
  serviceSelector,
  servicesOf,
} from './service-pods.ts';

type Service = corev1.Service;
type Pod = corev1.Pod;
type Subset = corev1.EndpointSubset;
type Address = corev1.EndpointAddress;

const headlessLabel = 'service.kubernetes.io/headless';
export const endpointsManagerLabel = 'endpoints.kubernetes.io/managed-by';
export const endpointsManager = 'endpoint-controller';

/** The subsets of a service: pods with the same ports together, ready ones apart from the others. */
export function endpointSubsets(service: Service, pods: readonly Pod[]): readonly Subset[] {
  const groups = new Map<string, { ports: readonly corev1.EndpointPort[]; ready: Address[]; notReady: Address[] }>();
  const tolerant = service.spec?.publishNotReadyAddresses ?? false;
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp && !tolerant) continue;
    const ports = [...portsIn(service, pod)].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
    if (ports.length === 0 && (service.spec?.ports?.length ?? 0) > 0) continue;
    const key = canonicalJson(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    (isPodReady(pod) || tolerant ? group.ready : group.notReady).push(addressOf(service, pod));
  }
  const byIp = (a: Address, b: Address) => (a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : 0);
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { ports, ready, notReady }]) => ({
      ...(ready.length > 0 ? { addresses: ready.sort(byIp) } : {}),
      ...(notReady.length > 0 ? { notReadyAddresses: notReady.sort(byIp) } : {}),
      ...(ports.length > 0 ? { ports } : {}),
    }));
}

function addressOf(service: Service, pod: Pod): Address {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const hostname = hostnameIn(service, pod);
  return {
    ip: pod.status?.podIP ?? '',
    ...(hostname ? { hostname } : {}),
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

async function reconcile(key: ObjectKey, { cache, client }: ReconcileContext): Promise<void> {
  const service = cache.get(core.services, key);
  const live = cache.get(core.endpoints, key);
  if (!service) {
    if (!live) return;
    try {
      await client.delete(core.endpoints, key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return;
  }
  if (!serviceSelector(service) || service.metadata.deletionTimestamp) return;
  const subsets = endpointSubsets(service, backendPods(service, cache));
  const labels = {
    ...service.metadata.labels,
    [endpointsManagerLabel]: endpointsManager,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
  };
  if (live && jsonEqual(live.subsets ?? [], subsets) && jsonEqual(live.metadata.labels ?? {}, labels)) return;
  try {
    if (live) await client.update(core.endpoints, { ...live, metadata: { ...live.metadata, labels }, subsets });
    else await client.create(core.endpoints, { metadata: { ...key, labels }, subsets });
  } catch (error) {
    if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
    throw error;
  }
}

function sameName({ metadata }: corev1.Endpoints, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  // Endpoints without a service may be somebody's lock or hand-made: only those of a service are ours.
  return cache.informer(core.services).get(key) ? [key] : [];
}

/** Lists the pods behind every service. */
export const endpointsController = controller<Service, [Pod, corev1.Endpoints]>({
  name: 'endpoints-controller',
  for: core.services,
  watches: [
    { type: core.pods, predicate: { updated: endpointChanged }, gatherMsOf: endpointGatherMs, map: servicesOf },
    { type: core.endpoints, predicate: { created: () => false }, map: sameName },
  ],
  concurrency: 5,
  reconcile,
});
