import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { createOrUpdate, ensureFinalizer, getIfPresent } from '@hypershift-ts/kube-controller';
import { appliedWorkName } from '../protocol/identity.ts';
import { type AppliedManifestWork, type AppliedResource, appliedManifestWorks } from '../work/manifest-work.ts';
import type { HeldWork } from './held-work.ts';

/** Keeps the record until everything the work applied is gone. */
export const appliedWorkFinalizer = 'cluster.open-cluster-management.io/applied-manifest-work-cleanup';

/** Says which hub and agent a record belongs to. */
export interface HubIdentity {
  readonly hubHash: string;
  readonly agentId: string;
}

export function findRecord(client: Client, hub: HubIdentity, id: string): Promise<AppliedManifestWork | undefined> {
  return getIfPresent(client, appliedManifestWorks, { name: appliedWorkName(hub.hubHash, id) });
}

/** The object on the cluster that owns what a work applies, made when it is not there. */
export async function ensureRecord(client: Client, hub: HubIdentity, work: HeldWork): Promise<AppliedManifestWork> {
  const name = appliedWorkName(hub.hubHash, work.id);
  const { labels } = work.metadata;
  const { object } = await createOrUpdate(
    client,
    appliedManifestWorks,
    { name },
    {
      metadata: { name, ...(labels ? { labels } : {}) },
      spec: { hubHash: hub.hubHash, agentID: hub.agentId, manifestWorkName: work.id },
    },
  );
  return ensureFinalizer(client, appliedManifestWorks, object, appliedWorkFinalizer);
}

/** Writes down what there is now, so that what a later spec lacks can be found and removed. */
export async function recordResources(
  client: Client,
  record: AppliedManifestWork,
  resources: readonly AppliedResource[],
): Promise<void> {
  const appliedResources = resources.toSorted(byPlace);
  if (jsonEqual(record.status?.appliedResources ?? [], appliedResources)) return;
  const patch = { type: 'merge', body: { status: { appliedResources } } } as const;
  await client.patch(appliedManifestWorks, { name: record.metadata.name ?? '' }, patch, { subresource: 'status' });
}

function byPlace(a: AppliedResource, b: AppliedResource): number {
  const [left, right] = [placeOf(a), placeOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** What makes two records speak of the same object. */
export function placeOf({ group, version, resource, namespace, name }: AppliedResource): string {
  return [group, version, resource, namespace, name].join('\0');
}
