import {
  type CloudEvent,
  decodeStructured,
  EventFormatError,
  type ExtensionValue,
  parseJson,
  structuredContentType,
} from '@hypershift-ts/fleet-cloud-events';

/** The parts of an MQTT 5 packet that carry an event. */
export interface MqttMessage {
  readonly contentType: string;
  readonly userProperties: Readonly<Record<string, string>>;
  readonly payload: Uint8Array;
}

/** User properties as clients hand them out: a name that came twice has a list. */
export type UserProperties = Readonly<Record<string, string | readonly string[]>>;

const prefix = 'ce-';

/** Attributes become user properties, all of them texts; the data becomes the payload. */
export function toMqtt(event: CloudEvent): MqttMessage {
  const { id, source, type, time, datacontenttype = 'application/json', extensions, data } = event;
  const attributes: Readonly<Record<string, ExtensionValue>> = {
    specversion: '1.0',
    id,
    source,
    type,
    ...(time ? { time } : {}),
    ...extensions,
  };
  return {
    contentType: datacontenttype,
    userProperties: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [prefix + name, String(value)]),
    ),
    payload: data === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(data)),
  };
}

export function fromMqtt(
  contentType: string | undefined,
  properties: UserProperties | undefined,
  payload: Uint8Array,
): CloudEvent {
  const text = Buffer.from(payload).toString('utf8');
  if (contentType?.startsWith(structuredContentType)) return decodeStructured(text);
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(properties ?? {}))
    if (key.startsWith(prefix)) values[key.slice(prefix.length)] = typeof value === 'string' ? value : (value[0] ?? '');
  const { specversion, id, source, type, time, ...extensions } = values;
  if (specversion !== '1.0')
    throw new EventFormatError('the message has no user property ce-specversion=1.0; events need MQTT 5');
  if (!id || !source || !type)
    throw new EventFormatError(`the event has no ${!id ? 'id' : source ? 'type' : 'source'}`);
  return {
    id,
    source,
    type,
    ...(time ? { time } : {}),
    ...(contentType ? { datacontenttype: contentType } : {}),
    extensions,
    ...(payload.length > 0 ? { data: parseJson(text, "the event's data") } : {}),
  };
}
