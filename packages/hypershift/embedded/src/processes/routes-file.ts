import { readFileSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Place, Resolve } from '@hypershift-ts/machines-providers';

interface Routes extends Place {
  readonly hosts: readonly string[];
}

/** Tells processes which hosts the shared router serves; for them it stands in for DNS. Replaced as a whole. */
export function routesFile(file: string): (hosts: readonly string[], place: Place) => void {
  let writing: Promise<unknown> = mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return (hosts, place) => {
    const text = JSON.stringify({ ...place, hosts } satisfies Routes);
    // Without the file a name is not found, and who asked for it says so.
    writing = writing
      .then(() => writeFile(`${file}.new`, text, { mode: 0o600 }))
      .then(() => rename(`${file}.new`, file))
      .catch(() => {});
  };
}

/** Where hosts lead by such a file, as it is at the time of asking. */
export function resolveBy(file: string): Resolve {
  let read = '';
  let known: { readonly place: Place; readonly hosts: ReadonlySet<string> } | undefined;
  return (place) => {
    const found = statSync(file, { throwIfNoEntry: false });
    // Clocks of file systems are coarse; a file that was replaced is another one at least.
    const version = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
    if (found && version !== read) {
      const { host, port, hosts } = JSON.parse(readFileSync(file, 'utf8')) as Routes;
      known = { place: { host, port }, hosts: new Set(hosts) };
      read = version;
    }
    return known?.hosts.has(place.host.toLowerCase()) ? known.place : place;
  };
}
