import { type Clock, corev1, discoveryv1, type KubeObject, keyOf, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, type Informer, InformerCache } from '@hypershift-ts/kube-client';
import {
  type EventRecorder,
  type Logger,
  sharedDelayHeap,
  silentLogger,
  silentRecorder,
} from '@hypershift-ts/kube-controller';
import { type ListenerSpec, listenersOf } from './listener-spec.ts';
import { indexByService, serviceKeyOf } from './cluster-names.ts';
import { resolveService } from './service-names.ts';
import { openTcpListener, type ServiceListener } from './tcp-listener.ts';
import { openUdpListener } from './udp-listener.ts';

export interface ServiceProxyOptions {
  readonly client: Client;
  /** Informers shared with others of the same cluster. */
  readonly cache?: InformerCache;
  /** Where node ports are opened. Default 127.0.0.1. */
  readonly nodeAddress?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly events?: EventRecorder;
}

/** An address that could not be opened is tried again after this long. */
const retryMs = 2_000;

interface OpenListener {
  readonly service: string;
  readonly listener: Promise<ServiceListener | undefined>;
  spec: ListenerSpec;
}

/** Makes Services reachable on this machine: cluster IPs, node ports and load balancer addresses inside 127/8. */
export class ServiceProxy {
  private readonly options: ServiceProxyOptions;
  private readonly services: Informer<corev1.Service>;
  private readonly slices: Informer<discoveryv1.EndpointSlice>;
  private readonly slicesOf: (key: string) => readonly discoveryv1.EndpointSlice[];
  private readonly open = new Map<string, OpenListener>();
  private readonly byService = new Map<string, Set<string>>();
  private readonly draining = new Set<ServiceListener>();
  private readonly dirty = new Set<string>();
  private readonly endings: (() => void)[] = [];
  private isStopped = false;
  private scheduled = false;

  constructor(options: ServiceProxyOptions, cache: InformerCache) {
    this.options = options;
    this.services = cache.informer(corev1.services);
    this.slices = cache.informer(discoveryv1.endpointslices);
    this.slicesOf = indexByService(this.slices);
  }

  /** Follows Services and endpoints; resolves when those that exist are served. */
  async start(): Promise<void> {
    this.endings.push(this.services.addHandler(this.handler((service) => keyOf(service))));
    this.endings.push(this.slices.addHandler(this.handler(serviceKeyOf)));
    await Promise.all([this.services.whenSynced(), this.slices.whenSynced()]);
    this.syncDirty();
    await Promise.all([...this.open.values()].map(({ listener }) => listener));
  }

  /** How many sockets listen. */
  get size(): number {
    return this.open.size;
  }

  /** The address behind a Service's DNS name, seen from a namespace. */
  resolve(name: string, namespace = 'default'): string {
    return resolveService(name, namespace, (key) => this.services.get(key), this.slicesOf);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const end of this.endings.splice(0)) end();
    const listeners = await Promise.all([...this.open.values()].map(({ listener }) => listener));
    this.open.clear();
    await Promise.all([...listeners, ...this.draining].map(async (listener) => listener?.close()));
  }

  private handler<T extends KubeObject>(keyFor: (object: T) => string) {
    const mark = (object: T) => this.mark(keyFor(object));
    return { added: mark, updated: (_previous: T, next: T) => mark(next), deleted: mark };
  }

  private mark(key: string): void {
    this.dirty.add(key);
    if (this.scheduled || this.isStopped) return;
    this.scheduled = true;
    // Many slices change together; one look per turn of the event loop is enough.
    setImmediate(() => this.syncDirty());
  }

  private syncDirty(): void {
    this.scheduled = false;
    if (this.isStopped || !this.services.hasSynced() || !this.slices.hasSynced()) return;
    for (const key of this.dirty) this.sync(key);
    this.dirty.clear();
  }

  private sync(key: string): void {
    const service = this.services.get(key);
    const { nodeAddress = '127.0.0.1' } = this.options;
    const wanted = service ? listenersOf(service, this.slicesOf(key), nodeAddress) : [];
    const present = this.byService.get(key) ?? new Set<string>();
    const wantedKeys = new Set(wanted.map((spec) => spec.key));
    for (const listenerKey of present) if (!wantedKeys.has(listenerKey)) this.end(listenerKey);
    const kept = new Set<string>();
    for (const spec of wanted) if (this.serve(spec, key, service)) kept.add(spec.key);
    if (kept.size > 0) this.byService.set(key, kept);
    else this.byService.delete(key);
  }

  private serve(spec: ListenerSpec, serviceKey: string, service: corev1.Service | undefined): boolean {
    const known = this.open.get(spec.key);
    if (known) {
      if (known.service !== serviceKey) {
        // The address moves from one Service to another; the old one will let go.
        this.retry(serviceKey);
        return false;
      }
      known.spec = spec;
      void known.listener.then((listener) => listener?.update(known.spec));
      return true;
    }
    const { clock = systemClock } = this.options;
    const opening = spec.protocol === 'TCP' ? openTcpListener(spec, clock) : openUdpListener(spec, clock);
    const listener = opening.catch((error: unknown) => {
      this.open.delete(spec.key);
      this.byService.get(serviceKey)?.delete(spec.key);
      this.complain(error, spec, service);
      this.retry(serviceKey);
      return undefined;
    });
    this.open.set(spec.key, { service: serviceKey, listener, spec });
    return true;
  }

  private end(listenerKey: string): void {
    const known = this.open.get(listenerKey);
    this.open.delete(listenerKey);
    void known?.listener.then((listener) => {
      if (!listener) return;
      this.draining.add(listener);
      void listener.drain().then(() => this.draining.delete(listener));
    });
  }

  private retry(serviceKey: string): void {
    const { clock = systemClock } = this.options;
    sharedDelayHeap(clock).after(retryMs, () => this.mark(serviceKey));
  }

  private complain(error: unknown, { key, port }: ListenerSpec, service: corev1.Service | undefined): void {
    const { log = silentLogger, events = silentRecorder } = this.options;
    log.warn({ error, listener: key }, 'a Service address could not be opened');
    const hint =
      (error as NodeJS.ErrnoException).code === 'EACCES' && port < 1024
        ? '; ports below 1024 need privileges here'
        : '';
    if (service)
      events.warning(service, 'FailedToListen', `cannot listen on ${key}: ${(error as Error).message}${hint}`);
  }
}

/** Starts the proxy of a cluster. One per cluster serves all its nodes, because they share this machine. */
export async function startServiceProxy(options: ServiceProxyOptions): Promise<{
  readonly proxy: ServiceProxy;
  stop(): Promise<void>;
}> {
  const { client, clock } = options;
  const cache = options.cache ?? new InformerCache({ client, ...(clock ? { clock } : {}) });
  const proxy = new ServiceProxy(options, cache);
  if (!options.cache) cache.start();
  await proxy.start();
  return {
    proxy,
    async stop() {
      await proxy.stop();
      if (!options.cache) await cache.stop();
    },
  };
}
