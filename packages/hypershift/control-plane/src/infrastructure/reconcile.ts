import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { deleteIfPresent } from '@hypershift-ts/kube-controller';
import { applyDesired } from '../framework/apply.ts';
import type { ControlPlaneContext } from '../framework/context.ts';
import { type Manifest, manifestObject, nameOf } from '../framework/manifest.ts';
import { ownerOf } from '../framework/reconcile.ts';
import { infrastructureRoutes } from './routes.ts';
import { infrastructureServices } from './services.ts';

export const infrastructureManifests: readonly Manifest[] = [...infrastructureServices, ...infrastructureRoutes];

/** Makes Services and Routes fit the publishing strategies and removes those that no longer do. All are tried before one fails. */
export async function reconcileInfrastructure(context: ControlPlaneContext, client: Client): Promise<void> {
  const results = await Promise.allSettled(
    infrastructureManifests
      .filter(({ type }) => context.management.serves(type))
      .map((manifest) => reconcileOne(manifest, context, client)),
  );
  const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as Error);
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}

async function reconcileOne(manifest: Manifest, context: ControlPlaneContext, client: Client): Promise<void> {
  const name = nameOf(manifest, context);
  const live = context.lookup.get(manifest.type, name) as UnstructuredObject | undefined;
  if (manifest.when && !manifest.when(context)) {
    if (live) await deleteIfPresent(client, manifest.type, { name, namespace: context.namespace }, { live });
    return;
  }
  const { metadata, ...body } = manifestObject(manifest, context, live);
  const desired = { ...body, metadata: { ...metadata, ownerReferences: [ownerOf(context)] } } as UnstructuredObject;
  await applyDesired(client, manifest.type, desired, live);
}
