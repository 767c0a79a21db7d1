import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { defaultLoadBalancerCidr, type LoopbackAddresses, sharedAddresses } from '../node/loopback-addresses.ts';
import { isLoopback } from './listener-spec.ts';

export interface LoadBalancerOptions {
  /** Loopback range the addresses come from; shared by all clusters of this process that name the same. */
  readonly cidr?: string;
  /** Services that name another class are left to others. */
  readonly loadBalancerClass?: string;
}

/** Gives Services of type LoadBalancer an address of this machine and writes it into their status. One per cluster. */
export function serviceLoadBalancer(options: LoadBalancerOptions = {}): Controller {
  const pool = sharedAddresses(options.cidr ?? defaultLoadBalancerCidr);
  const held = new Map<string, string>();
  return controller({
    name: 'service-lb',
    for: corev1.services,
    async reconcile(key, { client, cache }) {
      const name = `${key.namespace}/${key.name}`;
      const service = cache.get(corev1.services, key);
      if (!service || !isOurs(service, options)) {
        release(pool, held, name);
        if (service && service.spec?.type !== 'LoadBalancer' && ingressOf(service))
          await write(client, service, undefined);
        return;
      }
      const before = ingressOf(service);
      if (before) {
        if (!held.has(name) && pool.reserve(before)) held.set(name, before);
        return;
      }
      // Addresses given out before this process began must not be given twice.
      for (const other of cache.list(corev1.services)) {
        const taken = ingressOf(other);
        if (taken) pool.reserve(taken);
      }
      const address = held.get(name) ?? wantedAddress(service, pool) ?? pool.allocate();
      held.set(name, address);
      await write(client, service, address);
    },
  });
}

function isOurs({ metadata, spec }: corev1.Service, { loadBalancerClass }: LoadBalancerOptions): boolean {
  if (spec?.type !== 'LoadBalancer' || metadata.deletionTimestamp) return false;
  return spec.loadBalancerClass === undefined || spec.loadBalancerClass === loadBalancerClass;
}

function ingressOf(service: corev1.Service): string | undefined {
  return service.status?.loadBalancer?.ingress?.[0]?.ip;
}

function wantedAddress({ spec }: corev1.Service, pool: LoopbackAddresses): string | undefined {
  const wanted = spec?.loadBalancerIP;
  return wanted && isLoopback(wanted) && pool.reserve(wanted) ? wanted : undefined;
}

function release(pool: LoopbackAddresses, held: Map<string, string>, name: string): void {
  const address = held.get(name);
  if (address) pool.release(address);
  held.delete(name);
}

async function write(
  client: Parameters<Controller['reconcile']>[1]['client'],
  { metadata }: corev1.Service,
  address: string | undefined,
): Promise<void> {
  const { name = '', namespace = '' } = metadata;
  const loadBalancer = { ingress: address ? [{ ip: address, ipMode: 'VIP' }] : null };
  const body = { metadata: { uid: metadata.uid }, status: { loadBalancer } };
  await client.patch(corev1.services, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
}
