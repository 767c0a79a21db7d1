import { createHash } from 'node:crypto';
import type { Document } from './served-resource.ts';

/** Servers with the same custom resources have the same documents; a few dozen different ones are kept for sharing. */
const maxShared = 64;
const shared = new Map<string, Document>();

/** Makes a document of a text, or hands out the one that another server already made of the same text. */
export function documentOf(body: string, contentType = 'application/json'): Document {
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  const key = `${contentType} ${etag}`;
  const known = shared.get(key);
  if (known) return known;
  const document = Object.freeze({ contentType, body, etag });
  const [oldest] = shared.keys();
  if (shared.size >= maxShared && oldest !== undefined) shared.delete(oldest);
  shared.set(key, document);
  return document;
}
