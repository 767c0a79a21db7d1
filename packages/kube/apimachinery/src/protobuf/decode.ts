import type { JsonValue } from '../json.ts';
import type { Field, Message } from './messages.ts';
import { ProtobufError, Reader, WireType } from './reader.ts';
import {
  durationText,
  parseRawJson,
  readIntOrString,
  readQuantity,
  readSingleBytes,
  readSingleInt,
  readStrings,
  readTimestamp,
  timeText,
} from './special-values.ts';

/** Nesting beyond this is an attack: the deepest honest bodies are CRD schemas of some dozens of levels. */
const maxDepth = 512;
/**
 * An empty list item takes two bytes on the wire but a whole object in memory, so the number of objects is limited
 * apart from the size of the body.
 */
const maxMessages = 200_000;

type Draft = Record<string, JsonValue>;

/** Decodes one message into the JSON that Go's encoding/json would print for the decoded struct. */
export function decodeMessage(bytes: Uint8Array, message: Message): Draft {
  return new Decoder(new Reader(bytes)).message(message, 0);
}

class Decoder {
  readonly #reader: Reader;
  #messages = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  message(message: Message, depth: number): Draft {
    if (depth > maxDepth) throw new ProtobufError(`messages nested deeper than ${maxDepth}`);
    this.#count();
    const values: (JsonValue | undefined)[] = [];
    const reader = this.#reader;
    while (!reader.atEnd) {
      const { number, wireType } = reader.tag();
      const field = message.byNumber[number];
      // A newer client may know more fields; Go skips them too.
      if (!field) reader.skip(wireType);
      else if (field.map) values[field.index] = this.#mapEntry(field, values[field.index], wireType, depth);
      else if (field.repeated) values[field.index] = this.#item(field, values[field.index], wireType, depth);
      else values[field.index] = this.#value(field, wireType, depth);
    }
    const object: Draft = {};
    for (const field of message.fields) this.#emit(object, field, values[field.index], depth);
    return object;
  }

  #item(field: Field, sofar: JsonValue | undefined, wireType: number, depth: number): JsonValue[] {
    const list = (sofar as JsonValue[] | undefined) ?? [];
    const packable =
      field.kind === 'int32' || field.kind === 'int64' || field.kind === 'bool' || field.kind === 'double';
    if (packable && wireType === WireType.bytes) {
      const itemType = field.kind === 'double' ? WireType.fixed64 : WireType.varint;
      this.#reader.within(() => {
        while (!this.#reader.atEnd) list.push(this.#value(field, itemType, depth));
      });
    } else {
      list.push(this.#value(field, wireType, depth));
    }
    return list;
  }

  #mapEntry(field: Field, sofar: JsonValue | undefined, wireType: number, depth: number): Draft {
    expect(field, wireType, WireType.bytes);
    this.#count();
    const map = (sofar as Draft | undefined) ?? {};
    let key = '';
    let value: JsonValue | undefined;
    this.#reader.within(() => {
      while (!this.#reader.atEnd) {
        const tag = this.#reader.tag();
        if (tag.number === 1 && tag.wireType === WireType.bytes) key = this.#reader.string();
        else if (tag.number === 2) value = this.#value(field, tag.wireType, depth);
        else this.#reader.skip(tag.wireType);
      }
    });
    value ??= this.#zeroMapValue(field, depth);
    // Plain assignment of this one key would change the prototype instead of adding a key.
    if (key === '__proto__')
      Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    else map[key] = value;
    return map;
  }

  #value(field: Field, wireType: number, depth: number): JsonValue {
    const reader = this.#reader;
    switch (field.kind) {
      case 'bool':
        expect(field, wireType, WireType.varint);
        return reader.bool();
      case 'int32':
        expect(field, wireType, WireType.varint);
        return reader.int32();
      case 'int64':
        expect(field, wireType, WireType.varint);
        return reader.int64();
      case 'double':
        expect(field, wireType, WireType.fixed64);
        return reader.double();
    }
    expect(field, wireType, WireType.bytes);
    switch (field.kind) {
      case 'string':
        return reader.string();
      case 'bytes':
        return reader.bytes().toString('base64');
      case 'message':
        return reader.within(() => this.message(messageOf(field), depth + 1));
      case 'strings':
        return reader.within(() => readStrings(reader));
      case 'quantity':
        return reader.within(() => readQuantity(reader));
      case 'intOrString':
        return reader.within(() => readIntOrString(reader));
      case 'time':
      case 'microTime': {
        const timestamp = reader.within(() => readTimestamp(reader));
        return timestamp && timeText(timestamp, field.kind);
      }
      case 'duration':
        return durationText(reader.within(() => readSingleInt(reader)));
      case 'rawJson':
        return parseRawJson(
          reader.within(() => readSingleBytes(reader)),
          field.name,
        );
      case 'schemaOrBool':
      case 'schemaOrArray':
      case 'schemaOrStrings':
        return reader.within(() => this.#schemaOr(field, depth + 1));
      default:
        return field.kind satisfies never;
    }
  }

  /** Field 1 and 2 are {allows, schema}, {schema, schemas} or {schema, strings}. */
  #schemaOr(field: Field, depth: number): JsonValue {
    const reader = this.#reader;
    const schemaNumber = field.kind === 'schemaOrBool' ? 2 : 1;
    let schema: JsonValue = null;
    let allows = false;
    const list: JsonValue[] = [];
    while (!reader.atEnd) {
      const { number, wireType } = reader.tag();
      const asMessage = (): JsonValue => {
        expect(field, wireType, WireType.bytes);
        return reader.within(() => this.message(messageOf(field), depth));
      };
      if (number === schemaNumber) schema = asMessage();
      else if (number === 1 && wireType === WireType.varint) allows = reader.bool();
      else if (number === 2 && field.kind === 'schemaOrArray') list.push(asMessage());
      else if (number === 2 && wireType === WireType.bytes) list.push(reader.string());
      else reader.skip(wireType);
    }
    if (field.kind === 'schemaOrBool') return schema ?? allows;
    return list.length > 0 ? list : schema;
  }

  /** What a Go struct holds when the wire said nothing about a field that is no pointer, list or map. */
  #zero(field: Field, depth: number): JsonValue {
    switch (field.kind) {
      case 'string':
        return '';
      case 'bool':
      case 'schemaOrBool':
        return false;
      case 'int32':
      case 'int64':
      case 'double':
      case 'intOrString':
        return 0;
      case 'quantity':
        return '0';
      case 'duration':
        return '0s';
      case 'message': {
        const object: Draft = {};
        if (depth > maxDepth) throw new ProtobufError(`messages nested deeper than ${maxDepth}`);
        this.#count();
        for (const inner of messageOf(field).fields) this.#emit(object, inner, undefined, depth + 1);
        return object;
      }
      default:
        return null;
    }
  }

  /** Go allocates map values, so that bytes and lists in them are empty rather than nil. */
  #zeroMapValue(field: Field, depth: number): JsonValue {
    if (field.kind === 'bytes') return '';
    return field.kind === 'strings' ? [] : this.#zero(field, depth);
  }

  /** Adds a field to the object, or not, by the rules of encoding/json for its Go type and tag. */
  #emit(object: Draft, field: Field, value: JsonValue | undefined, depth: number): void {
    const nilable = field.pointer || field.repeated || field.map || field.kind === 'bytes' || field.kind === 'strings';
    if (value === undefined && nilable) {
      if (!field.omitEmpty && !field.inline) object[field.name] = null;
      return;
    }
    const present = value ?? this.#zero(field, depth);
    if (field.inline) {
      Object.assign(object, present);
      return;
    }
    if (!field.pointer && field.omitEmpty && isScalar(field) && isEmptyScalar(present)) return;
    if (!field.pointer && field.omitZero && isZeroStruct(present)) return;
    object[field.name] = present;
  }

  #count(): void {
    if (++this.#messages > maxMessages) throw new ProtobufError(`more than ${maxMessages} nested messages`);
  }
}

/** omitempty never leaves out a struct, and quantities, times and the like are structs in Go: their zero is kept. */
function isScalar({ kind }: Field): boolean {
  return (
    kind === 'string' ||
    kind === 'bytes' ||
    kind === 'bool' ||
    kind === 'int32' ||
    kind === 'int64' ||
    kind === 'double'
  );
}

function isEmptyScalar(value: JsonValue): boolean {
  return value === '' || value === 0 || value === false;
}

function isZeroStruct(value: JsonValue): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return isEmptyScalar(value);
  return Object.keys(value).length === 0;
}

function messageOf(field: Field): Message {
  if (!field.message) throw new Error(`field ${field.name} has no message type`);
  return field.message;
}

function expect(field: Field, actual: number, wanted: number): void {
  if (actual !== wanted)
    throw new ProtobufError(`wrong wire type ${actual} for field "${field.name}", expected ${wanted}`);
}
