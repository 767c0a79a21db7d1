import { randomBytes } from 'node:crypto';

/** A UUID of version 7: a moment in milliseconds, then chance. */
export function uuidV7(now: number, random: (size: number) => Buffer = randomBytes): string {
  const bytes = Buffer.concat([Buffer.alloc(6), random(10)]);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
