import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { parseDuration } from './duration.ts';
import type { Field, Message } from './messages.ts';
import { ProtobufError, WireType } from './reader.ts';
import { parseTime } from './special-values.ts';
import { Writer } from './writer.ts';

/** Objects come from JSON of bounded depth, but a caller's mistake (a cycle) must not end as a stack overflow. */
const maxDepth = 1024;

/** Encodes JSON as the message; what the message does not know is left out, as a Go struct would. */
export function encodeMessage(object: JsonObject, message: Message): Uint8Array {
  const writer = new Writer();
  writeMessage(writer, object, message, 0);
  return writer.finish();
}

function writeMessage(writer: Writer, object: JsonObject, message: Message, depth: number): void {
  if (depth > maxDepth) throw new ProtobufError(`objects nested deeper than ${maxDepth}`);
  for (const field of message.descending) {
    const value = field.inline ? object : object[field.name];
    if (field.map) writeMap(writer, field, value, depth);
    else if (field.repeated) writeList(writer, field, value, depth);
    else if (field.pointer && field.inline)
      throw new ProtobufError(`field ${field.number} of ${message.name} is an inlined pointer`);
    else if (value !== undefined && value !== null) writeField(writer, field, value, depth);
    // A Go struct always writes what is not a pointer or a nil slice, zero or not.
    else if (!field.pointer && field.kind !== 'bytes' && field.kind !== 'strings') writeZero(writer, field, depth);
  }
}

function writeList(writer: Writer, field: Field, value: JsonValue | undefined, depth: number): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) throw new ProtobufError(`field "${field.name}" is not a list`);
  for (let i = value.length - 1; i >= 0; i--) writeField(writer, field, value[i] ?? null, depth);
}

function writeMap(writer: Writer, field: Field, value: JsonValue | undefined, depth: number): void {
  if (value === undefined || value === null) return;
  if (!isJsonObject(value)) throw new ProtobufError(`field "${field.name}" is not a map`);
  const keys = Object.keys(value).sort(compareBytes);
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i] ?? '';
    const before = writer.length;
    writeField(writer, { ...field, number: 2 }, value[key] ?? null, depth);
    writer.string(key);
    writer.tag(1, WireType.bytes);
    writer.uint(writer.length - before);
    writer.tag(field.number, WireType.bytes);
  }
}

/** Go sorts strings by their UTF-8 bytes, JavaScript by UTF-16 units; they differ beyond the BMP. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function writeZero(writer: Writer, field: Field, depth: number): void {
  switch (field.kind) {
    case 'string':
      return writeField(writer, field, '', depth);
    case 'bool':
    case 'schemaOrBool':
      return writeField(writer, field, false, depth);
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return writeField(writer, field, 0, depth);
    case 'quantity':
      return writeField(writer, field, '0', depth);
    case 'duration':
      return writeField(writer, field, '0s', depth);
    case 'message':
      return writeField(writer, field, {}, depth);
    default:
      return writeField(writer, field, null, depth);
  }
}

function writeField(writer: Writer, field: Field, value: JsonValue, depth: number): void {
  switch (field.kind) {
    case 'bool':
      writer.uint(value === true ? 1 : 0);
      return writer.tag(field.number, WireType.varint);
    case 'int32':
    case 'int64':
      writer.int(integer(field, value));
      return writer.tag(field.number, WireType.varint);
    case 'double':
      writer.double(number(field, value));
      return writer.tag(field.number, WireType.fixed64);
  }
  switch (field.kind) {
    case 'string':
      writer.string(text(field, value));
      break;
    case 'bytes':
      writer.delimited(Buffer.from(text(field, value), 'base64'));
      break;
    default:
      delimitedBy(writer, () => writeNested(writer, field, value, depth));
  }
  writer.tag(field.number, WireType.bytes);
}

function writeNested(writer: Writer, field: Field, value: JsonValue, depth: number): void {
  switch (field.kind) {
    case 'message':
      if (!isJsonObject(value) || !field.message) throw new ProtobufError(`field "${field.name}" is not an object`);
      return writeMessage(writer, value, field.message, depth + 1);
    case 'strings':
      return writeStrings(writer, field, value, 1);
    case 'quantity':
      return writeTagged(writer, 1, typeof value === 'number' ? String(value) : text(field, value));
    case 'intOrString':
      writeTagged(writer, 3, typeof value === 'string' ? value : '');
      writer.int(typeof value === 'string' ? 0 : integer(field, value));
      writer.tag(2, WireType.varint);
      writer.uint(typeof value === 'string' ? 1 : 0);
      return writer.tag(1, WireType.varint);
    case 'time':
    case 'microTime': {
      if (value === null) return;
      const { seconds, nanos } = parseTime(text(field, value), field.kind);
      writer.int(nanos);
      writer.tag(2, WireType.varint);
      writer.int(seconds);
      return writer.tag(1, WireType.varint);
    }
    case 'duration':
      writer.int(parseDuration(text(field, value)));
      return writer.tag(1, WireType.varint);
    case 'rawJson':
      return value === null ? undefined : writeTagged(writer, 1, JSON.stringify(value));
    case 'schemaOrBool':
    case 'schemaOrArray':
    case 'schemaOrStrings':
      return writeSchemaOr(writer, field, value, depth);
    default:
      throw new Error(`field kind ${field.kind} is not length-delimited`);
  }
}

function writeSchemaOr(writer: Writer, field: Field, value: JsonValue, depth: number): void {
  const schemaField = (number: number): Field => ({ ...field, kind: 'message', number });
  if (field.kind === 'schemaOrBool') {
    if (isJsonObject(value)) writeField(writer, schemaField(2), value, depth);
    writer.uint(value === false || value === null ? 0 : 1);
    return writer.tag(1, WireType.varint);
  }
  if (isJsonObject(value)) return writeField(writer, schemaField(1), value, depth);
  if (field.kind === 'schemaOrStrings') return writeStrings(writer, field, value, 2);
  if (Array.isArray(value)) writeList(writer, schemaField(2), value, depth);
}

function writeStrings(writer: Writer, field: Field, value: JsonValue, fieldNumber: number): void {
  if (!Array.isArray(value)) return;
  for (let i = value.length - 1; i >= 0; i--) writeTagged(writer, fieldNumber, text(field, value[i] ?? null));
}

function writeTagged(writer: Writer, fieldNumber: number, value: string): void {
  writer.string(value);
  writer.tag(fieldNumber, WireType.bytes);
}

function delimitedBy(writer: Writer, write: () => void): void {
  const before = writer.length;
  write();
  writer.uint(writer.length - before);
}

function text(field: Field, value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  throw new ProtobufError(`field "${field.name}" is not a string`);
}

function number(field: Field, value: JsonValue): number {
  if (typeof value === 'number') return value;
  if (value === null) return 0;
  throw new ProtobufError(`field "${field.name}" is not a number`);
}

function integer(field: Field, value: JsonValue): number {
  const int = number(field, value);
  if (!Number.isInteger(int)) throw new ProtobufError(`field "${field.name}" is not an integer`);
  return int;
}
