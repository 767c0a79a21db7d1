import type { CloudEvent } from '@hypershift-ts/fleet-cloud-events';
import { findCondition, type ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import type { BundleStatus, ManifestBundle } from '../protocol/payloads.ts';
import { encodeWorkEvent, type WorkEvent } from '../protocol/work-event.ts';

/** A work as the server stores it. */
export interface Bundle {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly consumer: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | undefined;
  readonly metadata: ObjectMeta;
  readonly data: ManifestBundle;
  readonly status: StoredStatus | undefined;
}

/** The last report of the agent. */
export interface StoredStatus {
  readonly version: number;
  readonly sequenceId: string;
  readonly hash: string;
  readonly reporter: string;
  readonly data: BundleStatus;
}

/** What is sent to the agent. Its name there is the id, so that works of two sources cannot collide. */
export function specEventOf(
  bundle: Bundle,
  serverId: string,
  action: WorkEvent['action'],
  id: string,
  time: string,
): CloudEvent {
  const { finalizers: _finalizers, ownerReferences: _owners, ...metadata } = bundle.metadata;
  return encodeWorkEvent(
    {
      subresource: 'spec',
      action,
      source: serverId,
      resourceId: bundle.id,
      version: bundle.version,
      consumer: bundle.consumer,
      ...(bundle.deletedAt ? { deletionTimestamp: bundle.deletedAt } : {}),
      metadata: { ...metadata, name: bundle.id, namespace: bundle.consumer, uid: bundle.id },
      data: bundle.data,
    },
    id,
    time,
  );
}

/** What is sent to the source of a work: the agent's report, with the name the source gave it and its spec. */
export function statusEventOf(
  bundle: Bundle,
  serverId: string,
  status: StoredStatus,
  id: string,
  time: string,
): CloudEvent {
  return encodeWorkEvent(
    {
      subresource: 'status',
      action: 'update_request',
      source: status.reporter,
      resourceId: bundle.id,
      version: status.version,
      consumer: bundle.consumer,
      originalSource: serverId,
      sequenceId: status.sequenceId,
      statusHash: status.hash,
      metadata: metadataOf(bundle),
      data: { manifestBundle: bundle.data, ...status.data },
    },
    id,
    time,
  );
}

/** The metadata that sources and REST clients see. */
export function metadataOf({ metadata, createdAt, deletedAt }: Bundle): ObjectMeta {
  const toSeconds = (text: string) => text.replace(/\.\d+Z$/, 'Z');
  return {
    ...metadata,
    creationTimestamp: toSeconds(createdAt),
    ...(deletedAt ? { deletionTimestamp: toSeconds(deletedAt) } : {}),
  };
}

/** Whether a report says that the last of the work is gone. */
export function saysDeleted({ conditions }: BundleStatus): boolean {
  return findCondition(conditions, 'Deleted')?.status === 'True';
}
