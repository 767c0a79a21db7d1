import {
  DecodeError,
  decodeJson,
  decodeProtobuf,
  decodeYaml,
  protobufMediaType,
  statusErrors,
} from '@hypershift-ts/kube-apimachinery';
import type { Body } from '../registry/api.ts';
import type { Exchange } from './exchange.ts';

/** The media type of the body, without parameters; JSON when the client does not say. */
export function contentTypeOf(exchange: Exchange): string {
  const header = exchange.header('content-type') ?? '';
  return header.split(';', 1)[0]!.trim().toLowerCase() || 'application/json';
}

/** Reads and decodes a request body. `report` asks for duplicate fields to be found as well. */
export async function decodeBody(exchange: Exchange, maxBytes: number, report: boolean): Promise<Body> {
  const contentType = contentTypeOf(exchange);
  const decode = decoderOf(contentType, exchange.method === 'PATCH');
  const bytes = await exchange.readBody(maxBytes);
  if (bytes.length === 0) throw statusErrors.badRequest('the request has no body');
  if (contentType === protobufMediaType) return { value: decodeProtobuf(bytes, { maxBytes }), problems: [] };
  return decoded(decode, bytes, maxBytes, report);
}

/** The same for bodies that may be left out (DELETE). */
export async function decodeOptionalBody(exchange: Exchange, maxBytes: number): Promise<unknown> {
  const contentType = contentTypeOf(exchange);
  const bytes = await exchange.readBody(maxBytes);
  if (bytes.length === 0) return undefined;
  if (contentType === protobufMediaType)
    return decodeProtobuf(bytes, {
      maxBytes,
      defaultKind: { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' },
    });
  return decoded(decoderOf(contentType, false), bytes, maxBytes, false).value;
}

/** YAML is decoded at about 1 MB/s on the event loop that everybody shares; JSON, also under the name of YAML, is not. */
const maxYamlCharacters = 512 * 1024;

function decoded(decode: typeof decodeJson, bytes: Buffer, maxLength: number, findDuplicates: boolean): Body {
  try {
    const text = bytes.toString('utf8');
    if (decode === decodeYaml && text.length > maxYamlCharacters && !text.trimStart().startsWith('{'))
      throw statusErrors.tooLarge(maxYamlCharacters);
    const { value, strictErrors } = decode(text, { maxLength, findDuplicates });
    return { value, problems: strictErrors };
  } catch (error) {
    if (error instanceof DecodeError)
      throw statusErrors.badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
    throw error;
  }
}

/** Only patches have types of their own (`application/merge-patch+json`). */
function decoderOf(contentType: string, patch: boolean): typeof decodeJson {
  if (contentType === 'application/yaml' || (patch && contentType.endsWith('+yaml'))) return decodeYaml;
  if (contentType === 'application/json' || contentType === protobufMediaType) return decodeJson;
  if (patch && contentType.endsWith('+json')) return decodeJson;
  throw statusErrors.unsupportedMediaType(['application/json', 'application/yaml', protobufMediaType]);
}
