import {
  type CloudEvent,
  contextAttributes,
  EventFormatError,
  type ExtensionValue,
  isJson,
  parseJson,
} from './event.ts';

/** The content type of events in structured mode. */
export const structuredContentType = 'application/cloudevents+json';

/** Whole events larger than this are refused before they are parsed. */
const largestEvent = 8 * 1024 * 1024;

/** One JSON document with all attributes and the data. */
export function encodeStructured(event: CloudEvent): string {
  const { id, source, type, time, datacontenttype = 'application/json', extensions, data } = event;
  return JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type,
    ...(time === undefined ? {} : { time }),
    datacontenttype,
    ...extensions,
    ...(data === undefined ? {} : { data }),
  });
}

export function decodeStructured(text: string): CloudEvent {
  if (text.length > largestEvent) throw new EventFormatError(`the event is larger than ${largestEvent} bytes`);
  const document = parseJson(text, 'the event');
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new EventFormatError('the event is no JSON object');
  return eventFromDocument(document as Readonly<Record<string, unknown>>);
}

/** An event from its parsed JSON form. Attributes that CloudEvents allows and nobody here uses are ignored. */
export function eventFromDocument(document: Readonly<Record<string, unknown>>): CloudEvent {
  if (document['specversion'] !== '1.0')
    throw new EventFormatError(`specversion is ${JSON.stringify(document['specversion'])}, not "1.0"`);
  const datacontenttype = optionalText(document, 'datacontenttype');
  const time = optionalText(document, 'time');
  const data = dataOf(document, datacontenttype);
  return {
    id: requiredText(document, 'id'),
    source: requiredText(document, 'source'),
    type: requiredText(document, 'type'),
    ...(time === undefined ? {} : { time }),
    ...(datacontenttype === undefined ? {} : { datacontenttype }),
    extensions: extensionsOf(document),
    ...(data === undefined ? {} : { data }),
  };
}

function extensionsOf(document: Readonly<Record<string, unknown>>): Record<string, ExtensionValue> {
  const extensions: [string, ExtensionValue][] = [];
  for (const [name, value] of Object.entries(document)) {
    if (contextAttributes.has(name) || value === null) continue;
    if (typeof value === 'string' || typeof value === 'boolean') extensions.push([name, value]);
    else if (typeof value === 'number' && Number.isInteger(value)) extensions.push([name, value]);
    else throw new EventFormatError(`the extension ${JSON.stringify(name)} is neither text, integer nor boolean`);
  }
  return Object.fromEntries(extensions);
}

function dataOf(document: Readonly<Record<string, unknown>>, contentType = 'application/json'): unknown {
  const encoded = document['data_base64'];
  if (encoded === undefined) return document['data'];
  if (typeof encoded !== 'string') throw new EventFormatError('data_base64 is no text');
  if (!isJson(contentType)) throw new EventFormatError(`the data is ${contentType}, not JSON`);
  return parseJson(Buffer.from(encoded, 'base64').toString('utf8'), 'data_base64');
}

function requiredText(document: Readonly<Record<string, unknown>>, name: string): string {
  const value = document[name];
  if (typeof value !== 'string' || value === '') throw new EventFormatError(`the event has no ${name}`);
  return value;
}

function optionalText(document: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = document[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new EventFormatError(`${name} is no text`);
  return value;
}
