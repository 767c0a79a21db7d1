import { existsSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';

/** How this program is called here, for commands that people copy: `hypershift` when it is on PATH, else its file. */
export function ownName(argv: readonly string[] = process.argv, env: NodeJS.ProcessEnv = process.env): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  if (folders.some((folder) => existsSync(join(folder, 'hypershift')))) return 'hypershift';
  const file = argv[1] ?? '';
  if (!file.endsWith('/hypershift')) return 'hypershift';
  const short = relative(process.cwd(), file);
  return short.startsWith('..') ? file : short;
}
