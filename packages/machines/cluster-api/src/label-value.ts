import { fnv1a32 } from './fnv.ts';

const valid = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** A name as a label value: itself where that is allowed, otherwise a short hash of it in upstream's form. */
export function labelValueOf(name: string): string {
  if (name.length <= 63 && valid.test(name)) return name;
  const hash = Buffer.alloc(4);
  hash.writeUInt32BE(fnv1a32(name));
  return `hash_${hash.toString('base64url')}_z`;
}
