import type { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { controllerReference } from '@hypershift-ts/kube-controller';
import { isPodReady } from '../workload/pod-state.ts';
import { canonicalJson } from '../workload/pod-template.ts';
import { hostnameIn, isHeadless, portsIn } from './service-pods.ts';

type Service = corev1.Service;
type Pod = corev1.Pod;
type Slice = discoveryv1.EndpointSlice;
type Endpoint = discoveryv1.Endpoint;
type Port = discoveryv1.EndpointPort;

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const sliceManager = 'endpointslice-controller.k8s.io';
const maxEndpoints = 100;

export interface SlicePlan {
  readonly create: readonly NewObject<Slice>[];
  readonly update: readonly Slice[];
  readonly remove: readonly Slice[];
}

interface Group {
  readonly addressType: string;
  readonly ports: readonly Port[];
  readonly endpoints: Map<string, Endpoint>;
}

/** Which slices to write so that together they list exactly these pods, changing as few of them as possible. */
export function planSlices(
  service: Service,
  pods: readonly Pod[],
  live: readonly Slice[],
  zoneOf: (node: string) => string | undefined,
): SlicePlan {
  const labels = sliceLabels(service);
  const groups = groupsOf(service, pods, zoneOf);
  const update: Slice[] = [];
  const remove: Slice[] = [];
  const placed = new Map<Group, Set<string>>();
  for (const slice of live) {
    const group = groups.get(groupKey(slice.addressType, slice.ports ?? []));
    if (!group) {
      remove.push(slice);
      continue;
    }
    const taken = placed.get(group) ?? new Set<string>();
    placed.set(group, taken);
    const kept: Endpoint[] = [];
    for (const endpoint of slice.endpoints ?? []) {
      const id = endpointId(endpoint);
      const wanted = group.endpoints.get(id);
      if (!wanted || taken.has(id)) continue;
      taken.add(id);
      kept.push(wanted);
    }
    update.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints: kept });
  }
  const create: NewObject<Slice>[] = [];
  for (const group of groups.values()) {
    const taken = placed.get(group);
    const rest = [...group.endpoints].filter(([id]) => !taken?.has(id)).map(([, endpoint]) => endpoint);
    const key = groupKey(group.addressType, group.ports);
    for (const [index, slice] of update.entries()) {
      if (rest.length === 0 || groupKey(slice.addressType, slice.ports ?? []) !== key) continue;
      const room = maxEndpoints - (slice.endpoints?.length ?? 0);
      update[index] = { ...slice, endpoints: [...(slice.endpoints ?? []), ...rest.splice(0, Math.max(0, room))] };
    }
    // A service without endpoints still has a slice, or readers could not tell it from one nobody looked at yet.
    if (group.endpoints.size === 0 && !taken) create.push(newSlice(service, labels, group, []));
    while (rest.length > 0) create.push(newSlice(service, labels, group, rest.splice(0, maxEndpoints)));
  }
  const { changed, gone } = dropEmpty(update, live, create.length);
  return recycled({ create, update: changed, remove: [...remove, ...gone] });
}

/** A slice that would go becomes one that would come: one write instead of two, and readers never see neither. */
function recycled({ create, update, remove }: SlicePlan): SlicePlan {
  const coming = [...create];
  const changed = [...update];
  const going: Slice[] = [];
  for (const slice of remove) {
    // The kind of its addresses is all that a slice cannot change.
    const index = coming.findIndex(({ addressType }) => addressType === slice.addressType);
    const [next] = index < 0 ? [] : coming.splice(index, 1);
    if (!next) {
      going.push(slice);
      continue;
    }
    const { labels } = next.metadata;
    const { endpoints = [], ports = [] } = next;
    changed.push({ ...slice, metadata: { ...slice.metadata, ...(labels ? { labels } : {}) }, endpoints, ports });
  }
  return { create: coming, update: changed, remove: going };
}

/** Empty slices go, but one stays so that the service is seen to have none rather than not to be known. */
function dropEmpty(update: readonly Slice[], live: readonly Slice[], created: number) {
  const full = update.filter(({ endpoints }) => (endpoints?.length ?? 0) > 0);
  const empty = update.filter(({ endpoints }) => (endpoints?.length ?? 0) === 0);
  const keep = full.length + created === 0 ? empty.slice(0, 1) : [];
  const gone = empty.filter((slice) => !keep.includes(slice));
  const original = (slice: Slice) => live.find(({ metadata }) => metadata.uid === slice.metadata.uid) ?? slice;
  const changed = [...full, ...keep].filter((slice) => !jsonEqual(slice, original(slice)));
  return { changed, gone: gone.map(original) };
}

function groupsOf(service: Service, pods: readonly Pod[], zoneOf: (node: string) => string | undefined) {
  const groups = new Map<string, Group>();
  const families = service.spec?.ipFamilies?.length ? service.spec.ipFamilies : ['IPv4'];
  for (const pod of pods) {
    for (const addressType of families) {
      const ip = addressFor(pod, addressType);
      if (!ip) continue;
      const ports = portsIn(service, pod);
      if (ports.length === 0 && (service.spec?.ports?.length ?? 0) > 0) continue;
      const key = groupKey(addressType, ports);
      const group = groups.get(key) ?? { addressType, ports, endpoints: new Map() };
      groups.set(key, group);
      const endpoint = endpointOf(service, pod, ip, zoneOf);
      group.endpoints.set(endpointId(endpoint), endpoint);
    }
  }
  if (groups.size === 0) {
    const addressType = families[0] ?? 'IPv4';
    groups.set(groupKey(addressType, []), { addressType, ports: [], endpoints: new Map() });
  }
  return groups;
}

function endpointOf(service: Service, pod: Pod, ip: string, zoneOf: (node: string) => string | undefined): Endpoint {
  const { namespace = '', name = '', uid = '', deletionTimestamp } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = (service.spec?.publishNotReadyAddresses ?? false) || (serving && !terminating);
  const { nodeName } = pod.spec;
  const zone = nodeName ? zoneOf(nodeName) : undefined;
  const hostname = hostnameIn(service, pod);
  return {
    addresses: [ip],
    conditions: { ready, serving, terminating },
    ...(hostname ? { hostname } : {}),
    ...(nodeName ? { nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone ? { zone } : {}),
  };
}

function addressFor({ status }: Pod, family: string): string | undefined {
  const ips = status?.podIPs?.map(({ ip }) => ip ?? '') ?? (status?.podIP ? [status.podIP] : []);
  return ips.find((ip) => ip.includes(':') === (family === 'IPv6'));
}

function newSlice(
  service: Service,
  labels: Slice['metadata']['labels'],
  group: Group,
  endpoints: readonly Endpoint[],
): NewObject<Slice> {
  return {
    metadata: {
      generateName: `${service.metadata.name}-`,
      namespace: service.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      ownerReferences: [controllerReference(core.services, service)],
    },
    addressType: group.addressType,
    endpoints,
    ports: group.ports,
  };
}

function sliceLabels(service: Service): { readonly [key: string]: string } {
  return {
    ...service.metadata.labels,
    ...(isHeadless(service) ? { 'service.kubernetes.io/headless': '' } : {}),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: sliceManager,
  };
}

const endpointId = ({ addresses, targetRef }: Endpoint) => `${targetRef?.uid ?? ''} ${addresses.join(',')}`;

/** Ports in any order and with the server's defaults filled in mean the same. */
function groupKey(addressType: string, ports: readonly Port[]): string {
  const list = ports.map(({ name = '', port, protocol = 'TCP', appProtocol = '' }) =>
    canonicalJson([name, port, protocol, appProtocol]),
  );
  return `${addressType} ${list.sort().join(' ')}`;
}
