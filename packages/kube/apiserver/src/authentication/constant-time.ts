import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares secrets without telling by the time taken how much of them, or of their length, was right. */
export function secretsEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
}
