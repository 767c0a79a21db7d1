import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller, ensureFinalizer, hasFinalizer, removeFinalizer } from '@hypershift-ts/kube-controller';
import { writeStatus } from '../workload/status.ts';

type Service = corev1.Service;
export type LoadBalancerIngress = NonNullable<corev1.LoadBalancerStatus['ingress']>[number];

/** Hands out the addresses under which load balanced services are reached. Who listens there is another matter. */
export interface LoadBalancerAddresses {
  /** The service's addresses; the same ones when asked again. */
  allocate(service: Service): Promise<readonly LoadBalancerIngress[]>;
  /** The service does not need them any more; called at least once. */
  release(service: Service): Promise<void>;
}

const finalizer = 'service.kubernetes.io/load-balancer-cleanup';

const wantsLoadBalancer = ({ spec, metadata }: Service): boolean =>
  spec?.type === 'LoadBalancer' && !spec.loadBalancerClass && !metadata.deletionTimestamp;

/** Gives services of type LoadBalancer their addresses and takes them back. */
export function serviceLoadBalancerController(addresses: LoadBalancerAddresses): Controller {
  return controller<Service>({
    name: 'service-lb-controller',
    for: {
      type: core.services,
      predicate: {
        created: (service: Service) => wantsLoadBalancer(service) || hasFinalizer(service, finalizer),
        updated: (before: Service, next: Service) =>
          wantsLoadBalancer(before) || wantsLoadBalancer(next) || hasFinalizer(next, finalizer),
        deleted: () => false,
      },
    },
    concurrency: 2,
    async reconcile(key, { cache, client, events }) {
      const found = cache.get(core.services, key);
      if (!found) return;
      if (!wantsLoadBalancer(found)) {
        if (!hasFinalizer(found, finalizer)) return;
        events.normal(found, 'DeletingLoadBalancer', 'Deleting load balancer');
        await addresses.release(found);
        const cleared = found.metadata.deletionTimestamp
          ? found
          : await writeStatus(client, core.services, found, { ...found.status, loadBalancer: {} });
        await removeFinalizer(client, core.services, cleared, finalizer);
        events.normal(found, 'DeletedLoadBalancer', 'Deleted load balancer');
        // The service may be gone by now, and with it the moment at which the recorder forgets what was said about it.
        if (found.metadata.deletionTimestamp) events.forget?.(found);
        return;
      }
      const service = await ensureFinalizer(client, core.services, found, finalizer);
      const isNew = !service.status?.loadBalancer?.ingress?.length;
      if (isNew) events.normal(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
      try {
        const ingress = await addresses.allocate(service);
        await writeStatus(client, core.services, service, {
          ...service.status,
          loadBalancer: { ...service.status?.loadBalancer, ingress },
        });
      } catch (error) {
        events.warning(service, 'SyncLoadBalancerFailed', `Error syncing load balancer: ${errorMessage(error)}`);
        throw error;
      }
      if (isNew) events.normal(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
    },
  });
}
