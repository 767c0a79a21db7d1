const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a over bytes, 32 bit. */
function fnv1a(bytes: Uint8Array, seed = offsetBasis): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return hash >>> 0;
}

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');

/**
 * Upstream's HashSimple: FNV-1a over Go's `%v` rendering. Text hashes as its bytes, but bytes render as a decimal list
 * `[97 98 99]` first, so the same content gives another value in each form. Names of machine templates and the pull
 * secret hash depend on the second form.
 */
export function hashSimple(value: string | Uint8Array): string {
  if (typeof value === 'string') return hex8(fnv1a(Buffer.from(value, 'utf8')));
  return hex8(fnv1a(Buffer.from(`[${value.join(' ')}]`, 'latin1')));
}

/** Upstream's HashBytes and HashStruct: FNV-1a over the bytes as they are (a struct is its Go JSON). */
export function hashRaw(bytes: string | Uint8Array): string {
  return hex8(fnv1a(typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes));
}

/** Hash of a ConfigMap's data, independent of key order; empty when there is none. */
export function hashConfigMapData(data: Readonly<Record<string, string>> | undefined): string {
  const keys = Object.keys(data ?? {}).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (!data || keys.length === 0) return '';
  return hashSimple(keys.map((key) => `${key}\0${data[key]}\0`).join(''));
}
