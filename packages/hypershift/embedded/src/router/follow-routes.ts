import { openshift } from '@hypershift-ts/hypershift-api';
import { type Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import { applyManifests } from '@hypershift-ts/kube-client';
import { createOrUpdate, type Logger, Manager } from '@hypershift-ts/kube-controller';
import type { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import type { SharedRouter } from './shared-router.ts';

/** Tells clients outside this process, which find no DNS for the hosts of Routes, where these are served. */
const published = { namespace: 'kube-public', name: 'shared-router' };

/** Makes Route a kind of the management cluster and has the router follow its objects. */
export async function followRoutes(
  cluster: EmbeddedCluster,
  router: SharedRouter,
  options: { readonly clock: Clock; readonly logger: Logger },
): Promise<{ stop(): Promise<void> }> {
  const client = cluster.client(undefined, 'shared-router');
  const crd = openshift.openshiftCrds().find(({ spec }) => spec.names.kind === 'Route');
  await applyManifests(client, [crd as never], { fieldManager: 'shared-router' });
  const data = { address: router.address, port: String(router.port) };
  await createOrUpdate(client, corev1.configmaps, published, { metadata: published, data });
  const manager = new Manager({ client, ...options });
  manager.add(router.controller);
  await manager.start();
  return { stop: () => manager.stop() };
}
