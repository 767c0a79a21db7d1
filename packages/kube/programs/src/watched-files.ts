import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** Several files of a volume change in one step; a moment later all of them are in place. */
const settleMs = 50;

/**
 * Calls back after any of the files may have changed. The directories are watched, not the files: kubelets switch a link
 * beside them, and nothing happens while nothing changes.
 */
export function watchFiles(
  files: readonly string[],
  clock: Clock,
  onChange: () => void,
  onError: (error: unknown) => void,
): { close(): void } {
  let cancel: (() => void) | undefined;
  const changed = () => {
    cancel?.();
    cancel = clock.after(settleMs, onChange);
  };
  const watchers: FSWatcher[] = [];
  for (const directory of new Set(files.map((file) => dirname(file)))) {
    try {
      const watcher = watch(directory, { persistent: false }, changed);
      // The directory goes away with its pod.
      watcher.on('error', onError);
      watchers.push(watcher);
    } catch (error) {
      onError(error);
    }
  }
  return {
    close() {
      cancel?.();
      for (const watcher of watchers) watcher.close();
    },
  };
}
