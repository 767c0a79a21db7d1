import { openshift } from '@hypershift-ts/hypershift-api';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { applyManifests } from '@hypershift-ts/kube-client';
import { type Logger, Manager } from '@hypershift-ts/kube-controller';
import type { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import type { SharedRouter } from './shared-router.ts';

/** Makes Route a kind of the management cluster and has the router follow its objects. */
export async function followRoutes(
  cluster: EmbeddedCluster,
  router: SharedRouter,
  options: { readonly clock: Clock; readonly logger: Logger },
): Promise<{ stop(): Promise<void> }> {
  const client = cluster.client(undefined, 'shared-router');
  const crd = openshift.openshiftCrds().find(({ spec }) => spec.names.kind === 'Route');
  await applyManifests(client, [crd as never], { fieldManager: 'shared-router' });
  const manager = new Manager({ client, ...options });
  manager.add(router.controller);
  await manager.start();
  return { stop: () => manager.stop() };
}
