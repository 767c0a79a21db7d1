import { type CloudEvent, EventFormatError, type ExtensionValue, parseJson } from '@hypershift-ts/fleet-cloud-events';
import type { ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { type EventAction, formatEventType, parseEventType, workDataType } from './event-type.ts';

/** What every event about one work says, besides its data. */
export interface WorkEvent {
  readonly subresource: 'spec' | 'status';
  readonly action: EventAction | (string & {});
  /** Who sent the event. */
  readonly source: string;
  readonly resourceId: string;
  /** The generation of the spec: what is wanted, or what a status was observed of. */
  readonly version: number;
  readonly consumer: string;
  /** On status events the source that the spec came from; elsewhere empty. */
  readonly originalSource?: string;
  /** Its presence means that the work is to go. */
  readonly deletionTimestamp?: string;
  readonly sequenceId?: string;
  readonly statusHash?: string;
  readonly metadata?: ObjectMeta;
  readonly data?: unknown;
}

/** An event about one work, ready to be sent. */
export function encodeWorkEvent(event: WorkEvent, id: string, time: string): CloudEvent {
  const { subresource, action, metadata, deletionTimestamp, sequenceId, statusHash, data } = event;
  return {
    id,
    source: event.source,
    type: formatEventType({ dataType: workDataType, subresource, action }),
    time,
    datacontenttype: 'application/json',
    extensions: {
      resourceid: event.resourceId,
      resourceversion: event.version,
      clustername: event.consumer,
      originalsource: event.originalSource ?? '',
      ...(deletionTimestamp ? { deletiontimestamp: deletionTimestamp } : {}),
      ...(sequenceId ? { sequenceid: sequenceId } : {}),
      ...(statusHash ? { statushash: statusHash } : {}),
      ...(metadata ? { metadata: JSON.stringify(metadata) } : {}),
    },
    ...(data === undefined ? {} : { data }),
  };
}

/** An event about one work, as it came in. */
export function decodeWorkEvent({ source, type, extensions, data }: CloudEvent): WorkEvent {
  const { subresource, action } = workEventType(type);
  const [originalSource, deletionTimestamp, sequenceId, statusHash] = [
    'originalsource',
    'deletiontimestamp',
    'sequenceid',
    'statushash',
  ].map((name) => optionalText(extensions, name));
  const metadata = metadataOf(extensions);
  return {
    subresource,
    action,
    source,
    resourceId: requiredText(extensions, 'resourceid'),
    version: versionOf(extensions),
    consumer: requiredText(extensions, 'clustername'),
    ...(originalSource === undefined ? {} : { originalSource }),
    ...(deletionTimestamp ? { deletionTimestamp } : {}),
    ...(sequenceId ? { sequenceId } : {}),
    ...(statusHash ? { statusHash } : {}),
    ...(metadata ? { metadata } : {}),
    ...(data === undefined ? {} : { data }),
  };
}

/** What an event's type says, which must be about works. */
export function workEventType(type: string): { readonly subresource: 'spec' | 'status'; readonly action: string } {
  const parsed = parseEventType(type);
  if (!parsed) throw new EventFormatError(`the type ${JSON.stringify(type)} is not <data type>.spec|status.<action>`);
  if (parsed.dataType !== workDataType)
    throw new EventFormatError(`the event is about ${parsed.dataType}, not ${workDataType}`);
  return parsed;
}

type Extensions = Readonly<Record<string, ExtensionValue>>;

/** Senders over MQTT can only write texts, so digits are as good as a number. */
function versionOf(extensions: Extensions): number {
  const value = extensions['resourceversion'];
  const version = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof version !== 'number' || version < 0 || version > 0x7fffffff)
    throw new EventFormatError(`the event's resourceversion ${JSON.stringify(value)} is no 32 bit integer`);
  return version;
}

function metadataOf(extensions: Extensions): ObjectMeta | undefined {
  const text = optionalText(extensions, 'metadata');
  if (!text) return undefined;
  const metadata = parseJson(text, "the event's metadata");
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new EventFormatError("the event's metadata is no JSON object");
  return metadata as ObjectMeta;
}

function optionalText(extensions: Extensions, name: string): string | undefined {
  const value = extensions[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new EventFormatError(`the event's ${name} is no text`);
}

function requiredText(extensions: Extensions, name: string): string {
  const value = optionalText(extensions, name);
  if (!value) throw new EventFormatError(`the event has no ${name}`);
  return value;
}
