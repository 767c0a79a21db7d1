/** What an extension may hold; timestamps are RFC 3339 texts. */
export type ExtensionValue = string | number | boolean;

/** An event of CloudEvents 1.0 whose data is JSON, as all events of the fleet are. */
export interface CloudEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** RFC 3339. */
  readonly time?: string;
  /** Absent: application/json. */
  readonly datacontenttype?: string;
  readonly extensions: Readonly<Record<string, ExtensionValue>>;
  /** Parsed; absent when the event carries none. */
  readonly data?: unknown;
}

/** The bytes are no event. Says what is missing or wrong. */
export class EventFormatError extends Error {
  override readonly name = 'EventFormatError';
}

/** Attributes that CloudEvents itself defines; everything else is an extension. */
export const contextAttributes: ReadonlySet<string> = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'time',
  'datacontenttype',
  'dataschema',
  'subject',
  'data',
  'data_base64',
]);

const extensionName = /^[a-z0-9]{1,64}$/;

export function isExtensionName(name: string): boolean {
  return extensionName.test(name) && !contextAttributes.has(name);
}

export const isJson = (contentType: string): boolean =>
  /^[^;]*[/+]json\s*(;|$)/i.test(contentType) || /^text\/json/i.test(contentType);

/** JSON from outside, with an error that names what it was to be. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EventFormatError(`${what} is no JSON: ${(error as Error).message}`);
  }
}
