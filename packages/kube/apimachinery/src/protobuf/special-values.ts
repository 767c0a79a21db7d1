import type { JsonValue } from '../json.ts';
import { durationText, parseDuration } from './duration.ts';
import { ProtobufError, type Reader, WireType } from './reader.ts';

export { durationText, parseDuration };

/** Deeper JSON inside a RawExtension would overflow the stack of whoever walks it next. */
const maxJsonDepth = 1000;

export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** metav1.Time: no bytes at all are Go's zero time, which is null in JSON. */
export function readTimestamp(reader: Reader): Timestamp | null {
  if (reader.atEnd) return null;
  let seconds = 0;
  let nanos = 0;
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === WireType.varint) seconds = reader.int64();
    else if (number === 2 && wireType === WireType.varint) nanos = reader.int32();
    else reader.skip(wireType);
  }
  return { seconds, nanos };
}

const firstSecond = Date.parse('0001-01-01T00:00:00Z') / 1000;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000;

export function timeText({ seconds, nanos }: Timestamp, kind: 'time' | 'microTime'): string {
  if (!(seconds >= firstSecond && seconds <= lastSecond)) throw new ProtobufError(`time ${seconds} is out of range`);
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  if (kind === 'time') return `${whole}Z`;
  const micros = Math.min(999_999, Math.max(0, Math.trunc(nanos / 1000)));
  return `${whole}.${String(micros).padStart(6, '0')}Z`;
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d{0,12})?(Z|[+-]\d{2}:\d{2})$/;

/** The inverse of timeText; metav1.Time drops fractions of a second as its JSON form does. */
export function parseTime(text: string, kind: 'time' | 'microTime'): Timestamp {
  const match = rfc3339.exec(text);
  const millis = match ? Date.parse(`${match[1]}${match[3]}`) : Number.NaN;
  if (Number.isNaN(millis)) throw new ProtobufError(`"${text.slice(0, 64)}" is no RFC 3339 time`);
  const micros = kind === 'time' ? 0 : Number((match?.[2] ?? '').padEnd(6, '0').slice(0, 6));
  return { seconds: millis / 1000, nanos: micros * 1000 };
}

export function readQuantity(reader: Reader): string {
  const text = readSingleBytes(reader).toString('utf8');
  return text === '' ? '0' : text;
}

export function readIntOrString(reader: Reader): number | string {
  let isString = false;
  let int = 0;
  let text = '';
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === WireType.varint) isString = reader.int64() === 1;
    else if (number === 2 && wireType === WireType.varint) int = reader.int32();
    else if (number === 3 && wireType === WireType.bytes) text = reader.string();
    else reader.skip(wireType);
  }
  return isString ? text : int;
}

/** Verbs and ExtraValue: a named list of strings that is a message of its own. */
export function readStrings(reader: Reader): string[] {
  const items: string[] = [];
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === WireType.bytes) items.push(reader.string());
    else reader.skip(wireType);
  }
  return items;
}

/** The bytes of field 1 of a message that has only that. */
export function readSingleBytes(reader: Reader): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === WireType.bytes) bytes = reader.bytes();
    else reader.skip(wireType);
  }
  return bytes;
}

export function readSingleInt(reader: Reader): number {
  let value = 0;
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === WireType.varint) value = reader.int64();
    else reader.skip(wireType);
  }
  return value;
}

/** The JSON that RawExtension, FieldsV1 and apiextensions' JSON carry as bytes. */
export function parseRawJson(bytes: Buffer, fieldName: string): JsonValue {
  if (bytes.length === 0) return null;
  if (isNestedTooDeep(bytes))
    throw new ProtobufError(`field "${fieldName}" holds JSON nested deeper than ${maxJsonDepth}`);
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonValue;
  } catch (error) {
    throw new ProtobufError(`field "${fieldName}" does not hold JSON`, { cause: error });
  }
}

function isNestedTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
