import {
  type CloudEvent,
  decodeStructured,
  EventFormatError,
  type ExtensionValue,
  parseJson,
  structuredContentType,
} from '@hypershift-ts/fleet-cloud-events';
import { heartbeatType } from '../protocol/event-type.ts';
import type { AttributeMessage, CloudEventMessage } from './grpc-service.ts';
import { fromTimestamp, toTimestamp } from './timestamp.ts';

/**
 * Events in the protobuf message, written as upstream's SDK writes them: not the protobuf format of CloudEvents, but the
 * binary mode of HTTP, with its prefixed names, put into that message.
 */
const prefix = 'ce-';
const contentTypeKey = 'contenttype';
const timestamps = new Set(['time', 'deletiontimestamp']);

export function toMessage(event: CloudEvent): CloudEventMessage {
  const { id, source, type, time, datacontenttype = 'application/json', extensions, data } = event;
  const attributes: [string, AttributeMessage][] = [[contentTypeKey, { ce_string: datacontenttype }]];
  for (const [name, value] of Object.entries({ ...(time ? { time } : {}), ...extensions }))
    attributes.push([prefix + name, valueMessage(name, value)]);
  return {
    id,
    source,
    spec_version: '1.0',
    type,
    attributes: Object.fromEntries(attributes),
    ...(data === undefined ? {} : { binary_data: Buffer.from(JSON.stringify(data)) }),
  };
}

function valueMessage(name: string, value: ExtensionValue): AttributeMessage {
  if (typeof value === 'boolean') return { ce_boolean: value };
  if (typeof value === 'string')
    return timestamps.has(name) ? { ce_timestamp: toTimestamp(value) } : { ce_string: value };
  if (Number.isInteger(value) && Math.abs(value) <= 0x7fffffff) return { ce_integer: value };
  throw new EventFormatError(`the extension ${name}=${value} is no 32 bit integer`);
}

/** The event in a message. Data that is neither bytes nor JSON is refused; attributes without the prefix are ignored. */
export function fromMessage(message: CloudEventMessage): CloudEvent {
  const { id, source, type, attributes, binary_data: bytes } = message;
  const contentType = attributes[contentTypeKey]?.ce_string;
  if (contentType?.startsWith(structuredContentType)) return decodeStructured(textOf(bytes));
  if (message.spec_version !== '1.0' || Object.keys(attributes).length === 0)
    throw new EventFormatError('unknown encoding: the event has no spec_version 1.0 or no attributes');
  if (!id || !source || !type)
    throw new EventFormatError(`the event has no ${!id ? 'id' : source ? 'type' : 'source'}`);
  const values: Record<string, ExtensionValue> = {};
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith(prefix) && key.length > prefix.length) values[key.slice(prefix.length)] = plainValue(key, value);
  const { time, ...extensions } = values;
  return {
    id,
    source,
    type,
    ...(typeof time === 'string' ? { time } : {}),
    ...(contentType ? { datacontenttype: contentType } : {}),
    extensions,
    ...(bytes && bytes.length > 0 ? { data: parseJson(textOf(bytes), "the event's data") } : {}),
  };
}

function plainValue(key: string, value: AttributeMessage): ExtensionValue {
  if (value.ce_timestamp) return fromTimestamp(value.ce_timestamp);
  const plain = value.ce_string ?? value.ce_integer ?? value.ce_boolean ?? value.ce_uri ?? value.ce_uri_ref;
  if (plain === undefined) throw new EventFormatError(`the attribute ${key} has no value`);
  return plain;
}

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

/** What a server sends so that its clients know it is there. */
export function heartbeat(id: string): CloudEventMessage {
  return { id, source: '', spec_version: '1.0', type: heartbeatType, attributes: {} };
}

export const isHeartbeat = ({ type }: CloudEventMessage): boolean => type === heartbeatType;
