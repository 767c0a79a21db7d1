import { randomBytes } from 'node:crypto';

let last = 0n;

/** An id that sorts by the time it was made; two of one process never tie, even in one millisecond. */
export function uuid7(nowMs: number): string {
  const random = randomBytes(8);
  // 48 bits of time, then 12 bits that count up within a millisecond.
  let stamp = BigInt(nowMs) << 12n;
  if (stamp <= last) stamp = last + 1n;
  last = stamp;
  const time = (stamp >> 12n).toString(16).padStart(12, '0');
  const counter = (stamp & 0xfffn).toString(16).padStart(3, '0');
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
