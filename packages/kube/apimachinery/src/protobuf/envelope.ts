import type { JsonObject, JsonValue } from '../json.ts';
import { type GroupVersionKind, parseApiVersion } from '../object.ts';
import { statusErrors } from '../status.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { describeKind, messageOf } from './messages.ts';
import { ProtobufError, Reader, WireType } from './reader.ts';
import { Writer } from './writer.ts';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** Every protobuf body starts with these four bytes. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** What kube-apiserver accepts as one request body. */
const defaultMaxBytes = 3 * 1024 * 1024;

export interface DecodeProtobufOptions {
  /** Used when the envelope names no kind, as a few meta/v1 messages do not. */
  readonly defaultKind?: GroupVersionKind;
  readonly maxBytes?: number;
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/**
 * A request body of type application/vnd.kubernetes.protobuf as the JSON object that Go would have made of it:
 * fresh, unfrozen, `kind` and `apiVersion` included. Malformed input is a 400 StatusError.
 */
export function decodeProtobuf(body: Uint8Array, options: DecodeProtobufOptions = {}): Record<string, JsonValue> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  if (body.byteLength > maxBytes) throw statusErrors.tooLarge(maxBytes);
  try {
    const { apiVersion, kind, raw } = openEnvelope(body);
    const gvk = kind === '' && options.defaultKind ? options.defaultKind : { ...parseApiVersion(apiVersion), kind };
    const message = messageOf(gvk);
    if (!message) throw new ProtobufError(describeKind(gvk));
    const object = decodeMessage(raw, message);
    return kind === '' ? object : { kind, apiVersion, ...object };
  } catch (error) {
    if (error instanceof ProtobufError) {
      throw statusErrors.badRequest(`the object provided is no valid protobuf: ${error.message}`);
    }
    throw error;
  }
}

/** The object in a protobuf envelope, for clients that accept nothing else. The kind must be one hasProtobuf knows. */
export function encodeProtobuf(object: JsonObject, defaultKind?: GroupVersionKind): Uint8Array {
  const kind = typeof object.kind === 'string' ? object.kind : '';
  const apiVersion = typeof object.apiVersion === 'string' ? object.apiVersion : '';
  const gvk = kind === '' && defaultKind ? defaultKind : { ...parseApiVersion(apiVersion), kind };
  const message = messageOf(gvk);
  if (!message) throw new ProtobufError(describeKind(gvk));
  const raw = encodeMessage(object, message);
  const writer = new Writer(raw.length + kind.length + apiVersion.length + 64);
  writer.string(''); // contentType
  writer.tag(4, WireType.bytes);
  writer.string(''); // contentEncoding
  writer.tag(3, WireType.bytes);
  writer.delimited(raw);
  writer.tag(2, WireType.bytes);
  const before = writer.length;
  writer.string(kind);
  writer.tag(2, WireType.bytes);
  writer.string(apiVersion);
  writer.tag(1, WireType.bytes);
  writer.uint(writer.length - before);
  writer.tag(1, WireType.bytes);
  writer.raw(magic);
  return writer.finish();
}

function openEnvelope(body: Uint8Array): Envelope {
  if (body.byteLength < magic.length || magic.compare(body, 0, magic.length) !== 0) {
    throw new ProtobufError('the body does not start with the bytes "k8s\\x00"');
  }
  const reader = new Reader(body.subarray(magic.length));
  let apiVersion = '';
  let kind = '';
  let raw: Uint8Array = new Uint8Array();
  let contentEncoding = '';
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (wireType !== WireType.bytes || number > 3) {
      reader.skip(wireType);
    } else if (number === 1) {
      reader.within(() => {
        while (!reader.atEnd) {
          const inner = reader.tag();
          if (inner.number === 1 && inner.wireType === WireType.bytes) apiVersion = reader.string();
          else if (inner.number === 2 && inner.wireType === WireType.bytes) kind = reader.string();
          else reader.skip(inner.wireType);
        }
      });
    } else if (number === 2) raw = reader.bytes();
    else contentEncoding = reader.string();
  }
  if (contentEncoding !== '') throw new ProtobufError(`content encoding "${contentEncoding}" is not supported`);
  return { apiVersion, kind, raw };
}
