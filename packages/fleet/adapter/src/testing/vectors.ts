import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The acceptance vectors of HyperFleet; they live beside the repository. */
export const vectors = join(import.meta.dirname, '../../../../../../shared/vectors/hyperfleet');

export const hasVectors = existsSync(vectors);
// oxlint-disable-next-line no-console -- a skipped suite must be seen
if (!hasVectors) console.warn(`HyperFleet vectors are absent (${vectors}): their tests are skipped`);

export function vectorText(path: string): string {
  return readFileSync(join(vectors, path), 'utf8');
}

export function vectorJson<T>(path: string): T {
  return JSON.parse(vectorText(path)) as T;
}
