import type { corev1, ObjectKey, Selector } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, jsonEqual, selectorFromSet } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { isPodFinished, isPodReady } from '../workload/pod-state.ts';

type Service = corev1.Service;
type Pod = corev1.Pod;

const selectors = new WeakMap<object, Selector>();

/** The compiled selector of a service, or undefined when its endpoints are somebody else's business. */
export function serviceSelector({ spec }: Service): Selector | undefined {
  if (!spec?.selector || spec.type === 'ExternalName') return undefined;
  let selector = selectors.get(spec.selector);
  if (!selector) {
    selector = selectorFromSet(spec.selector);
    selectors.set(spec.selector, selector);
  }
  return selector;
}

/** Whom a pod could serve. */
export function servicesOf(pod: Pod, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  const { namespace = '', labels } = pod.metadata;
  return cache
    .informer(core.services)
    .list(namespace)
    .filter((service) => serviceSelector(service)?.matches(labels))
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** Whether a pod's change can be seen in endpoints at all. */
export function endpointChanged(before: Pod, next: Pod): boolean {
  return (
    before.status?.podIP !== next.status?.podIP ||
    isPodReady(before) !== isPodReady(next) ||
    before.status?.phase !== next.status?.phase ||
    before.metadata.deletionTimestamp !== next.metadata.deletionTimestamp ||
    before.spec.nodeName !== next.spec.nodeName ||
    !jsonEqual(before.metadata.labels ?? {}, next.metadata.labels ?? {})
  );
}

/** Pods that are not ready yet mostly become so together with others or soon after: their addresses can wait a moment. */
const unreadyGatherMs = 1_000;

/** How long a pod's change may take to be seen in endpoints; at once when traffic begins or ends with it. */
export function endpointGatherMs(pod: Pod, before?: Pod): number {
  return isPodReady(pod) || (before && isPodReady(before)) || pod.metadata.deletionTimestamp ? 0 : unreadyGatherMs;
}

/** The pods behind a service that have an address, in a stable order. */
export function backendPods(service: Service, cache: InformerCache): readonly Pod[] {
  const selector = serviceSelector(service);
  if (!selector) return [];
  return cache
    .list(core.pods, service.metadata.namespace ?? '')
    .filter((pod) => selector.matches(pod.metadata.labels) && pod.status?.podIP && !isPodFinished(pod))
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

export interface ResolvedPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** The numbers that a service's ports have in this pod; a name the pod does not have is left out. */
export function portsIn(service: Service, pod: Pod): readonly ResolvedPort[] {
  const ports: ResolvedPort[] = [];
  for (const { name, port, protocol = 'TCP', targetPort, appProtocol } of service.spec?.ports ?? []) {
    const number = numberOf(targetPort ?? port, protocol, pod);
    if (number === undefined) continue;
    ports.push({
      ...(name === undefined ? {} : { name }),
      port: number,
      protocol,
      ...(appProtocol ? { appProtocol } : {}),
    });
  }
  return ports;
}

function numberOf(target: number | string, protocol: string, { spec }: Pod): number | undefined {
  if (typeof target === 'number') return target;
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const { ports } of [...spec.containers, ...sidecars]) {
    const found = ports?.find((port) => port.name === target && (port.protocol ?? 'TCP') === protocol);
    if (found) return found.containerPort;
  }
  return undefined;
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None' || (spec?.type !== 'ExternalName' && !spec?.clusterIP);
}

/** The host name under which DNS knows the pod within the service. */
export function hostnameIn(service: Service, { spec, metadata }: Pod): string | undefined {
  const named =
    spec.hostname && spec.subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return named ? spec.hostname : undefined;
}
