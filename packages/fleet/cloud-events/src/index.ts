/** Events as the parts of a fleet send them to each other: CloudEvents 1.0 with JSON data. */
export { type CloudEvent, EventFormatError, type ExtensionValue, isExtensionName, isJson, parseJson } from './event.ts';
export { decodeStructured, encodeStructured, eventFromDocument, structuredContentType } from './structured.ts';
