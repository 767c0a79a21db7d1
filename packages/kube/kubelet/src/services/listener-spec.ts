import type { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';
import { portHere } from './ports-here.ts';

export interface Backend {
  readonly address: string;
  readonly port: number;
}

/** One address and port on which a Service is reached, and where connections go. */
export interface ListenerSpec {
  /** Unique on this machine: `TCP 127.96.0.10:443`. */
  readonly key: string;
  readonly protocol: 'TCP' | 'UDP';
  readonly address: string;
  readonly port: number;
  readonly backends: readonly Backend[];
  /** How long one client stays with one backend; absent: every connection takes the next. */
  readonly affinityMs: number | undefined;
}

const defaultAffinitySeconds = 10_800;

/**
 * Where a Service should be listened for. Nowhere as long as nobody serves it: a connection is refused then, as it would be
 * on a real node. Only loopback addresses can be served.
 */
export function listenersOf(
  service: corev1.Service,
  slices: readonly discoveryv1.EndpointSlice[],
  nodeAddress: string,
): ListenerSpec[] {
  const { spec } = service;
  if (!spec || spec.type === 'ExternalName') return [];
  const listeners = new Map<string, ListenerSpec>();
  const affinityMs =
    spec.sessionAffinity === 'ClientIP'
      ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinitySeconds) * 1000
      : undefined;
  for (const servicePort of spec.ports ?? []) {
    const protocol = servicePort.protocol ?? 'TCP';
    if (protocol !== 'TCP' && protocol !== 'UDP') continue;
    const backends = backendsOf(slices, servicePort.name ?? '', protocol);
    if (backends.length === 0) continue;
    for (const [address, port] of addressesOf(service, servicePort, nodeAddress)) {
      const key = `${protocol} ${address}:${port}`;
      listeners.set(key, { key, protocol, address, port, backends, affinityMs });
    }
  }
  return [...listeners.values()];
}

/** The endpoints of one port: those that are ready, or when there is none, those that still serve while they end. */
export function backendsOf(
  slices: readonly discoveryv1.EndpointSlice[],
  portName: string,
  protocol: string,
): readonly Backend[] {
  const ready = new Map<string, Backend>();
  const ending = new Map<string, Backend>();
  for (const slice of slices) {
    if (slice.addressType !== 'IPv4') continue;
    const port = slice.ports?.find(
      (candidate) => (candidate.name ?? '') === portName && (candidate.protocol ?? 'TCP') === protocol,
    )?.port;
    if (!port) continue;
    for (const { addresses, conditions } of slice.endpoints ?? []) {
      const [address] = addresses;
      if (!address) continue;
      const key = `${address}:${port}`;
      if (conditions?.ready !== false) ready.set(key, { address, port });
      else if (conditions.serving && conditions.terminating) ending.set(key, { address, port });
    }
  }
  return [...(ready.size > 0 ? ready : ending).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

function* addressesOf(
  { spec, status }: corev1.Service,
  { port, nodePort }: corev1.ServicePort,
  nodeAddress: string,
): Generator<readonly [string, number]> {
  const ingress = status?.loadBalancer?.ingress?.flatMap(({ ip }) => ip ?? []) ?? [];
  for (const address of [...(spec?.clusterIPs ?? [spec?.clusterIP ?? '']), ...(spec?.externalIPs ?? []), ...ingress])
    if (isLoopback(address)) yield [address, portHere(port)];
  if (nodePort && (spec?.type === 'NodePort' || spec?.type === 'LoadBalancer')) yield [nodeAddress, nodePort];
}

export function isLoopback(address: string): boolean {
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}
