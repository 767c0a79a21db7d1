import { decodeProtobuf, protobufMediaType, statusErrors } from '@hypershift-ts/kube-apimachinery';
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
  const bytes = await exchange.readBody(maxBytes);
  if (bytes.length === 0) throw statusErrors.badRequest('the request has no body');
  if (contentType === protobufMediaType) return { value: decodeProtobuf(bytes, { maxBytes }), problems: [] };
  const format = formatOf(contentType);
  return decodeBodyText(bytes, format, { reportDuplicates: report });
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
  return decodeBodyText(bytes, formatOf(contentType), { reportDuplicates: false }).value;
}

function formatOf(contentType: string): 'json' | 'yaml' {
  if (contentType === 'application/json' || contentType.endsWith('+json')) return 'json';
  if (contentType === 'application/yaml' || contentType.endsWith('+yaml')) return 'yaml';
  throw statusErrors.unsupportedMediaType(['application/json', 'application/yaml', protobufMediaType]);
}

function decodeBodyText(bytes: Buffer, _format: string, _o: object): Body {
  try {
    return { value: JSON.parse(bytes.toString('utf8')), problems: [] };
  } catch (e) {
    throw statusErrors.badRequest(String(e));
  }
}
