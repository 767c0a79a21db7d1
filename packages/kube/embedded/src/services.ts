import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ApiServer } from '@hypershift-ts/kube-apiserver';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { type Logger, Manager } from '@hypershift-ts/kube-controller';
import { serviceLoadBalancer, startServiceProxy } from '@hypershift-ts/kube-kubelet';
import type { Running } from './controllers.ts';

/** Makes Services reachable on loopback addresses: cluster IPs, node ports and load balancers. */
export async function startServices(
  apiServer: ApiServer,
  options: { readonly cache: InformerCache; readonly clock: Clock; readonly logger: Logger },
): Promise<Running> {
  const { cache, clock, logger } = options;
  // The embedded cluster's cloud: it writes the status of Services, as a cloud-controller-manager would.
  const client = apiServer.client(undefined, 'service-proxy');
  const manager = new Manager({ client, cache, clock, logger });
  manager.add(serviceLoadBalancer());
  await manager.start();
  const proxy = await startServiceProxy({ client, cache, clock, log: logger });
  return {
    async stop() {
      await proxy.stop();
      await manager.stop();
    },
  };
}
