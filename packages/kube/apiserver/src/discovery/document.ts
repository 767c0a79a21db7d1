import { createHash } from 'node:crypto';
import type { Document } from './served-resource.ts';

/** Servers with the same custom resources have the same documents. Held weakly: the servers keep them alive. */
const shared = new Map<string, WeakRef<Document>>();
const gone = new FinalizationRegistry<string>((key) => {
  if (shared.get(key)?.deref() === undefined) shared.delete(key);
});

/** Makes a document of a text, or hands out the one that another server already made of the same text. */
export function documentOf(body: string, contentType = 'application/json'): Document {
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  const key = `${contentType} ${etag}`;
  const known = shared.get(key)?.deref();
  if (known) return known;
  const document = Object.freeze({ contentType, body, etag });
  shared.set(key, new WeakRef(document));
  gone.register(document, key);
  return document;
}
