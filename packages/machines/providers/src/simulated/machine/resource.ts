import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { IgnitionResource } from './ignition-document.ts';
import { BootError } from './machine-error.ts';

/** No file of a machine's configuration may be larger. */
export const maxFileBytes = 32 * 1024 * 1024;

/** The bytes of a resource that carries them itself. Remote ones are refused: a machine talks to its ignition server only. */
export function resourceBytes(resource: IgnitionResource | undefined, what: string): Buffer {
  const { source = '', compression, verification } = resource ?? {};
  if (source === '') return Buffer.alloc(0);
  const stored = dataUrlBytes(source, what);
  const bytes = compression === 'gzip' ? unzipped(stored, what) : stored;
  if (compression && compression !== 'gzip')
    throw new BootError(`${what}: compression ${JSON.stringify(compression)} is not supported; use gzip`);
  verify(bytes, verification?.hash, what);
  return bytes;
}

function dataUrlBytes(url: string, what: string): Buffer {
  const comma = url.indexOf(',');
  if (!url.startsWith('data:') || comma < 0)
    throw new BootError(`${what}: only data: URLs are supported, not ${JSON.stringify(url.slice(0, 40))}`);
  if (url.length > maxFileBytes * 1.4) throw new BootError(`${what} is larger than ${maxFileBytes} bytes`);
  const data = url.slice(comma + 1);
  if (url.slice(0, comma).endsWith(';base64')) return Buffer.from(decodeURIComponentSafe(data, what), 'base64');
  return Buffer.from(decodeURIComponentSafe(data, what), 'utf8');
}

function decodeURIComponentSafe(text: string, what: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new BootError(`${what} is not a valid data URL`, { cause: error });
  }
}

function unzipped(bytes: Buffer, what: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxFileBytes });
  } catch (error) {
    throw new BootError(`${what} is not gzip of at most ${maxFileBytes} bytes`, { cause: error });
  }
}

function verify(bytes: Buffer, hash: string | undefined, what: string): void {
  if (!hash) return;
  const [, algorithm, digest] = /^(sha256|sha512)-([0-9a-f]+)$/.exec(hash) ?? [];
  if (!algorithm) throw new BootError(`${what}: hash ${JSON.stringify(hash)} is not sha256-<hex> or sha512-<hex>`);
  if (createHash(algorithm).update(bytes).digest('hex') !== digest)
    throw new BootError(`${what} does not have the hash its config names (${algorithm})`);
}
