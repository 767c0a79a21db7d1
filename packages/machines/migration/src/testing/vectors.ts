import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../../../shared/vectors/machine-api/', import.meta.url));

/** Data for checks that lies beside the repository. */
export const vectorsPresent: boolean = existsSync(root);
if (!vectorsPresent) process.stderr.write('SKIPPED: no conversion vectors at ../shared/vectors/machine-api\n');

/** One file of it, or `otherwise` where there is none: the suites around it are skipped then. */
export function readVector<T>(path: string, otherwise: T): T {
  return vectorsPresent ? (JSON.parse(readFileSync(root + path, 'utf8')) as T) : otherwise;
}
