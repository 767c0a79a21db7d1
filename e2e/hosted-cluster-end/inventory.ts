import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@hypershift-ts/kube-store';

/** How much of each thing there is. */
export type Counts = { readonly [thing: string]: number };

/** A store that counts its watches. */
export function countingStore(store: Store): Store & { readonly watches: number } {
  let watches = 0;
  return new Proxy(store, {
    get(target, property) {
      if (property === 'watches') return watches;
      if (property === 'watch')
        return (options: Parameters<Store['watch']>[0]) => {
          watches++;
          let isOpen = true;
          const ended = () => {
            if (isOpen) watches--;
            isOpen = false;
          };
          const handle = target.watch({
            ...options,
            onEnd: (error) => {
              ended();
              options.onEnd(error);
            },
          });
          return {
            close: () => {
              ended();
              handle.close();
            },
            requestProgress: () => handle.requestProgress(),
          };
        };
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as Store & { readonly watches: number };
}

/** Every object of the cluster by its key in the store. */
export async function objectKeys(store: Store): Promise<readonly string[]> {
  const { entries } = await store.range({ start: '/registry/', end: '/registry0' });
  return entries.map(({ key }) => key);
}

/** Files and folders below a folder. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => {
    try {
      return statSync(join(folder, path)) !== undefined;
    } catch {
      return false;
    }
  });
}

/** Open files, sockets and watched directories of this process, by kind. */
export function openFiles(): Counts {
  const counts: Record<string, number> = {};
  for (const fd of readdirSync('/proc/self/fd')) {
    try {
      const watched = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('inotify wd:').length - 1;
      counts['watched directories'] = (counts['watched directories'] ?? 0) + watched;
      counts['open files'] = (counts['open files'] ?? 0) + 1;
    } catch {
      // Closed meanwhile, such as the listing's own.
    }
  }
  return counts;
}
