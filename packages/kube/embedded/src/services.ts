import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ApiServer } from '@hypershift-ts/kube-apiserver';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { startServiceProxy } from '@hypershift-ts/kube-kubelet';
import type { Running } from './controllers.ts';

/** Makes Services reachable on loopback addresses: cluster IPs, node ports and load balancers. */
export function startServices(
  apiServer: ApiServer,
  options: { readonly cache: InformerCache; readonly clock: Clock; readonly logger: Logger },
): Promise<Running> {
  const { cache, clock, logger } = options;
  const client = apiServer.client({ name: 'system:kube-proxy', groups: ['system:authenticated'] }, 'service-proxy');
  return startServiceProxy({ client, cache, clock, log: logger });
}
