import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../shared/vectors/', import.meta.url));

/** Test data nobody here wrote; read in place, absent in a user's clone. */
export const vectors = {
  /** False, and said loudly, when the data is not beside the repository. */
  has(path: string): boolean {
    if (existsSync(root + path)) return true;
    process.stderr.write(`SKIPPED: no upstream vectors at ../shared/vectors/${path}\n`);
    return false;
  },
  text: (path: string): string => readFileSync(root + path, 'utf8'),
  json: <T>(path: string): T => JSON.parse(readFileSync(root + path, 'utf8')) as T,
  files: (folder: string, ending: string): string[] =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => `${folder}/${name}`),
};
