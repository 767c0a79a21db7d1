import {
  isNotFound,
  jsonEqual,
  type KubeObject,
  type OwnerReference,
  parseApiVersion,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { Client, RestMapper } from '@hypershift-ts/kube-client';
import { ownerReference, removeFinalizer } from '@hypershift-ts/kube-controller';
import { inApplyOrder } from '../work/apply-order.ts';
import { isOrphaned, settingsFor } from '../work/manifest-settings.ts';
import {
  type AppliedManifestWork,
  type AppliedResource,
  appliedManifestWorks,
  type Manifest,
  type ManifestResourceMeta,
  type ManifestWorkStatus,
} from '../work/manifest-work.ts';
import {
  appliedWorkFinalizer,
  ensureRecord,
  findRecord,
  type HubIdentity,
  placeOf,
  recordResources,
} from './applied-work.ts';
import { applyManifest } from './apply-manifest.ts';
import type { HeldWork } from './held-work.ts';
import { removeResources } from './removal.ts';
import {
  type ManifestOutcome,
  statusAfter,
  statusOfDeleted,
  statusOfDeleting,
  statusOfRefusal,
} from './work-status.ts';

/** The cluster that works are applied to. */
export interface WorkCluster {
  readonly name: string;
  readonly client: Client;
  readonly mapper: RestMapper;
  readonly hub: HubIdentity;
}

export interface PassResult {
  readonly status: ManifestWorkStatus;
  /** Something was not applied: try again soon. */
  readonly hasFailed: boolean;
  /** The work is gone, and this is the last that is heard of it. */
  readonly isOver?: boolean;
  /** What is on its way out must be looked at again. */
  readonly isWaiting?: boolean;
}

/** Applies a work, or only looks at its objects, and says how it stands. */
export async function passOver(cluster: WorkCluster, work: HeldWork, apply: boolean, now: string): Promise<PassResult> {
  if (work.isDeleting) return passOverDeletion(cluster, work, now);
  if (work.refusal) return { status: statusOfRefusal(work.status, work.refusal, work.version, now), hasFailed: false };
  const record = apply ? await ensureRecord(cluster.client, cluster.hub, work) : undefined;
  const outcomes: ManifestOutcome[] = [];
  for (const { manifest, ordinal } of inApplyOrder(work.spec.workload.manifests ?? []))
    outcomes.push(await manifestPass(cluster, work, manifest, ordinal, record));
  const isWaiting = record ? await prune(cluster, record, outcomes) : false;
  return {
    status: statusAfter(work.status, outcomes, work.version, now),
    hasFailed: outcomes.some(({ applyError }) => applyError !== undefined),
    isWaiting,
  };
}

async function manifestPass(
  cluster: WorkCluster,
  work: HeldWork,
  manifest: Manifest,
  ordinal: number,
  record: AppliedManifestWork | undefined,
): Promise<ManifestOutcome> {
  const type = await cluster.mapper.typeOf(manifest).catch((error: Error) => error);
  const meta = metaOf(manifest, ordinal, type instanceof Error ? undefined : type);
  const settings = settingsFor(meta, work.spec.manifestConfigs ?? []);
  const wasApplied = record !== undefined && settings.updateStrategy.type !== 'ReadOnly';
  if (type instanceof Error) return { meta, settings, wasApplied, applyError: type, seen: type };
  try {
    const applied = wasApplied
      ? await applyManifest({
          client: cluster.client,
          type,
          manifest,
          strategy: settings.updateStrategy,
          owner: ownerReference(appliedManifestWorks, record),
          isOrphaned: isOrphaned(meta, work.spec.deleteOption),
        })
      : undefined;
    return { meta, settings, wasApplied, seen: applied ?? (await look(cluster.client, type, meta)) };
  } catch (applyError) {
    return { meta, settings, wasApplied, applyError, seen: await look(cluster.client, type, meta) };
  }
}

function metaOf(manifest: Manifest, ordinal: number, type: ResourceType | undefined): ManifestResourceMeta {
  const { group, version } = parseApiVersion(manifest.apiVersion);
  const { name = '', namespace = '' } = manifest.metadata;
  const resource = type?.resource ?? '';
  return { ordinal, group, version, kind: manifest.kind ?? '', resource, name, namespace };
}

async function look(client: Client, type: ResourceType, meta: ManifestResourceMeta): Promise<ManifestOutcome['seen']> {
  try {
    return await client.get(type, { name: meta.name, ...(meta.namespace ? { namespace: meta.namespace } : {}) });
  } catch (error) {
    return isNotFound(error) ? 'missing' : (error as Error);
  }
}

/** Removes what an earlier spec had and this one lacks; answers whether something is still on its way out. */
async function prune(
  { client }: WorkCluster,
  record: AppliedManifestWork,
  outcomes: readonly ManifestOutcome[],
): Promise<boolean> {
  const present = outcomes.flatMap(({ meta, wasApplied, seen }) =>
    wasApplied && seen !== 'missing' && !(seen instanceof Error) ? [resourceOf(meta, seen)] : [],
  );
  const wanted = new Set(outcomes.map(({ meta }) => placeOf({ ...meta, uid: '' })));
  const surplus = (record.status?.appliedResources ?? []).filter((resource) => !wanted.has(placeOf(resource)));
  const left = await removeResources(client, surplus, ownerReference(appliedManifestWorks, record));
  // What could not be read this time was applied before and is still ours to remove one day.
  const unread = (record.status?.appliedResources ?? []).filter((resource) => {
    const place = placeOf(resource);
    return wanted.has(place) && !present.some((item) => placeOf(item) === place);
  });
  await recordResources(client, record, [...present, ...unread, ...left]);
  return left.length > 0;
}

function resourceOf(meta: ManifestResourceMeta, { metadata }: KubeObject): AppliedResource {
  const { group, version, resource, name, namespace } = meta;
  return { group, resource, name, namespace, version, uid: metadata.uid ?? '' };
}

async function passOverDeletion(cluster: WorkCluster, work: HeldWork, now: string): Promise<PassResult> {
  const { client, hub } = cluster;
  const over = { status: statusOfDeleted(cluster.name, now), hasFailed: false, isOver: true };
  const record = await findRecord(client, hub, work.id);
  if (!record) return over;
  const owner: OwnerReference = ownerReference(appliedManifestWorks, record);
  const left = await removeResources(client, record.status?.appliedResources ?? [], owner);
  if (left.length > 0) {
    const said = work.status.conditions?.some(({ type }) => type === 'Deleting');
    return {
      status: statusOfDeleting(work.status, said ? left.length : undefined, now),
      hasFailed: false,
      isWaiting: true,
    };
  }
  if (!record.metadata.deletionTimestamp)
    await client.delete(appliedManifestWorks, { name: record.metadata.name ?? '' });
  const going = await findRecord(client, hub, work.id);
  if (going) await removeFinalizer(client, appliedManifestWorks, going, appliedWorkFinalizer);
  return over;
}

/** Whether a status is worth being reported. */
export function hasChanged(before: ManifestWorkStatus, after: ManifestWorkStatus): boolean {
  return !jsonEqual(before, after);
}
