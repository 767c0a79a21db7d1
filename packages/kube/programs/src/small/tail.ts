import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { delay } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { watchFiles } from '../watched-files.ts';

/** Files on some file systems change without a notice. */
const lookAgainMs = 5_000;

/** `tail -c+1 -F file`: everything in the file and everything added to it; a file that is not there yet is awaited. */
export const tail: BuiltinProgram = async (context) => {
  const name = [...(context.command ?? []), ...context.args].findLast((word) => word.startsWith('/')) ?? '';
  const file = context.path(name);
  let at = 0;
  let inode: number | undefined;
  let wake = () => {};
  const watching = watchFiles(
    [file],
    context.clock,
    () => wake(),
    () => {},
  );
  context.signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!context.signal.aborted) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await stat(file).catch(() => undefined);
      // A new file under the name, or a shorter one: from the beginning.
      if (found && (found.ino !== inode || found.size < at)) {
        at = 0;
        inode = found.ino;
      }
      if (found && found.size > at) {
        await pipeline(createReadStream(file, { start: at, end: found.size - 1 }), context.stdout, { end: false });
        at = found.size;
      } else await Promise.race([changed, delay(context.clock, lookAgainMs, context.signal)]);
    }
  } finally {
    watching.close();
  }
};
