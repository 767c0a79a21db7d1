import type { corev1, discoveryv1, KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, discoveryv1 as discovery, isNotFound, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, matching } from '@hypershift-ts/kube-controller';
import { Expectations } from '../workload/expectations.ts';
import { perCluster } from '../workload/per-cluster.ts';
import { isNamespaceTerminating } from '../workload/pod-control.ts';
import { endpointsManager, endpointsManagerLabel } from './endpoints-controller.ts';
import { backendPods, endpointChanged, endpointGatherMs, serviceSelector, servicesOf } from './service-pods.ts';
import { managedByLabel, planSlices, serviceNameLabel, sliceManager } from './slices.ts';

type Slice = discoveryv1.EndpointSlice;

const serviceIndex = 'slices-by-service';
const expectationsOf = perCluster(() => new Expectations());
const zoneLabel = 'topology.kubernetes.io/zone';

function slicesOf(cache: InformerCache, key: ObjectKey, manager: string): readonly Slice[] {
  const informer = cache.informer(discovery.endpointslices);
  informer.addIndex(serviceIndex, ({ metadata }) => {
    const service = metadata.labels?.[serviceNameLabel];
    return service ? [`${metadata.namespace}/${service}`] : [];
  });
  return informer
    .byIndex(serviceIndex, `${key.namespace}/${key.name}`)
    .filter(({ metadata }) => metadata.labels?.[managedByLabel] === manager && !metadata.deletionTimestamp);
}

async function reconcile(key: ObjectKey, { cache, client }: ReconcileContext): Promise<ReconcileResult> {
  const expectations = expectationsOf(cache);
  const id = `${key.namespace}/${key.name}`;
  const service = cache.get(core.services, key);
  // The slices of a deleted service go with it as its dependents.
  if (!service || service.metadata.deletionTimestamp || !serviceSelector(service)) {
    expectations.forget(id);
    return undefined;
  }
  if (!expectations.satisfied(id, cache.informer(discovery.endpointslices))) return { requeueAfterMs: 5_000 };
  const zoneOf = (name: string) => cache.get(core.nodes, { name })?.metadata.labels?.[zoneLabel];
  const plan = planSlices(service, backendPods(service, cache), slicesOf(cache, key, sliceManager), zoneOf);
  try {
    for (const slice of plan.create) expectations.created(id, await client.create(discovery.endpointslices, slice));
    for (const slice of plan.update) expectations.created(id, await client.update(discovery.endpointslices, slice));
  } catch (error) {
    if (isNamespaceTerminating(error)) return undefined;
    throw error;
  }
  for (const slice of plan.remove) await remove(slice, client);
  return undefined;
}

async function remove({ metadata }: Slice, client: ReconcileContext['client']): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  try {
    await client.delete(discovery.endpointslices, { namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function serviceOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const name = metadata.labels?.[serviceNameLabel];
  return name && metadata.labels?.[managedByLabel] === sliceManager
    ? [{ namespace: metadata.namespace ?? '', name }]
    : [];
}

function zoneChanged(before: corev1.Node, next: corev1.Node): boolean {
  return before.metadata.labels?.[zoneLabel] !== next.metadata.labels?.[zoneLabel];
}

/** Lists the pods behind every service in slices that stay small. */
export const endpointSliceController = controller<corev1.Service, [corev1.Pod, Slice, corev1.Node]>({
  name: 'endpointslice-controller',
  for: core.services,
  watches: [
    { type: core.pods, predicate: { updated: endpointChanged }, gatherMsOf: endpointGatherMs, map: servicesOf },
    { type: discovery.endpointslices, predicate: { created: () => false }, map: serviceOf },
    {
      type: core.nodes,
      predicate: { created: () => false, deleted: () => false, updated: zoneChanged },
      map: (node, { cache }) =>
        cache
          .informer(core.pods)
          .list()
          .filter(({ spec }) => spec.nodeName === node.metadata.name)
          .flatMap((pod) => servicesOf(pod, { cache })),
    },
  ],
  concurrency: 5,
  reconcile,
});

const mirrorManager = 'endpointslicemirroring-controller.k8s.io';
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';

/** The slices that say the same as hand-written Endpoints. */
function mirrored(endpoints: corev1.Endpoints): readonly Pick<Slice, 'addressType' | 'endpoints' | 'ports'>[] {
  const slices: Pick<Slice, 'addressType' | 'endpoints' | 'ports'>[] = [];
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of endpoints.subsets ?? []) {
    const all = [
      ...addresses.map((one) => ({ one, ready: true })),
      ...notReadyAddresses.map((one) => ({ one, ready: false })),
    ];
    for (const addressType of ['IPv4', 'IPv6']) {
      const family = all.filter(({ one }) => one.ip.includes(':') === (addressType === 'IPv6')).slice(0, 1000);
      if (family.length === 0) continue;
      const list = family.map(({ one: { ip, hostname, nodeName, targetRef }, ready }) => ({
        addresses: [ip],
        conditions: { ready },
        ...(hostname ? { hostname } : {}),
        ...(nodeName ? { nodeName } : {}),
        ...(targetRef ? { targetRef } : {}),
      }));
      slices.push({ addressType, endpoints: list, ports });
    }
  }
  return slices;
}

async function mirror(key: ObjectKey, { cache, client }: ReconcileContext): Promise<void> {
  const endpoints = cache.get(core.endpoints, key);
  const service = cache.get(core.services, key);
  const skipped =
    endpoints?.metadata.labels?.[skipLabel] === 'true' ||
    endpoints?.metadata.annotations?.['control-plane.alpha.kubernetes.io/leader'] !== undefined;
  const wanted = endpoints && service && !service.spec?.selector && !skipped ? mirrored(endpoints) : [];
  const live = slicesOf(cache, key, mirrorManager);
  for (const [index, slice] of wanted.entries()) {
    const existing = live[index];
    const same =
      existing &&
      existing.addressType === slice.addressType &&
      jsonEqual(existing.endpoints, slice.endpoints) &&
      jsonEqual(existing.ports ?? [], slice.ports ?? []);
    if (same) continue;
    if (existing && existing.addressType === slice.addressType) {
      await client.update(discovery.endpointslices, { ...existing, ...slice });
      continue;
    }
    if (existing) await remove(existing, client);
    await client.create(discovery.endpointslices, {
      metadata: {
        generateName: `${key.name}-`,
        namespace: key.namespace ?? '',
        labels: { ...endpoints?.metadata.labels, [serviceNameLabel]: key.name, [managedByLabel]: mirrorManager },
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Endpoints',
            name: key.name,
            uid: endpoints?.metadata.uid ?? '',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      ...slice,
    });
  }
  for (const slice of live.slice(wanted.length)) await remove(slice, client);
}

/** Not from the controller that lists the pods of services, whose slices are listed beside them. */
const isHandWritten = ({ metadata }: corev1.Endpoints): boolean =>
  metadata.labels?.[endpointsManagerLabel] !== endpointsManager;

/** Mirrors hand-written Endpoints of services without a selector, so that readers of slices see them too. */
export const endpointSliceMirroringController = controller<corev1.Endpoints, [corev1.Service, KubeObject]>({
  name: 'endpointslice-mirroring-controller',
  for: { type: core.endpoints, predicate: matching(isHandWritten) },
  watches: [
    {
      type: core.services,
      predicate: matching(({ spec }: corev1.Service) => !spec?.selector),
      map: ({ metadata }) => [{ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }],
    },
    {
      type: discovery.endpointslices,
      predicate: { created: () => false, updated: () => false, deleted: () => false },
      map: () => [],
    },
  ],
  reconcile: mirror,
});
