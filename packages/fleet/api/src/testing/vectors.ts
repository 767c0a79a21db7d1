import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../../../shared/vectors/hyperfleet/', import.meta.url));

/** Upstream's data files and outcomes derived from them; read in place, absent in a user's clone. */
export const vectors = {
  has(path: string): boolean {
    if (existsSync(root + path)) return true;
    process.stderr.write(`SKIPPED: no upstream vectors at ../shared/vectors/hyperfleet/${path}\n`);
    return false;
  },
  path: (path: string): string => root + path,
  text: (path: string): string => readFileSync(root + path, 'utf8'),
  json: <T>(path: string): T => JSON.parse(readFileSync(root + path, 'utf8')) as T,
};
