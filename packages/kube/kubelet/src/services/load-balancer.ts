import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { defaultLoadBalancerCidr, sharedAddresses } from '../node/loopback-addresses.ts';
import { isLoopback } from './listener-spec.ts';

type Ingress = NonNullable<corev1.LoadBalancerStatus['ingress']>[number];

/**
 * Addresses of this machine for Services of type LoadBalancer, from a loopback range that all clusters of the process
 * share. A controller (service-lb-controller) asks for them and writes them into the status; the service proxy listens.
 */
export function loopbackLoadBalancers(cidr: string = defaultLoadBalancerCidr) {
  const pool = sharedAddresses(cidr);
  const held = new Map<string, string>();

  const addressOf = (service: corev1.Service): string => {
    const known = held.get(service.metadata.uid ?? '');
    if (known) return known;
    // Written before this process began, or asked for by the user.
    for (const wanted of [service.status?.loadBalancer?.ingress?.[0]?.ip, service.spec?.loadBalancerIP])
      if (wanted && isLoopback(wanted) && pool.reserve(wanted)) return wanted;
    return pool.allocate();
  };

  return {
    async allocate(service: corev1.Service): Promise<readonly Ingress[]> {
      const address = addressOf(service);
      held.set(service.metadata.uid ?? '', address);
      return [{ ip: address, ipMode: 'VIP' }];
    },
    async release(service: corev1.Service): Promise<void> {
      const uid = service.metadata.uid ?? '';
      const address = held.get(uid);
      if (address) pool.release(address);
      held.delete(uid);
    },
    /** Gives every address back: whoever starts this cluster again in the same process finds its Services' own free. */
    close(): void {
      for (const address of held.values()) pool.release(address);
      held.clear();
    },
  };
}
