import { open } from 'node:fs/promises';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { LogSource } from '../logs/log-source.ts';

export const defaultTerminationPath = '/dev/termination-log';
const maxFileBytes = 4096;
const maxLogBytes = 2048;
const maxLogLines = 80;

/** What a container left to say: its message file, or the end of its log when it failed and asked for that. */
export async function terminationMessage(
  container: corev1.Container,
  file: string | undefined,
  exitCode: number,
  log: LogSource,
): Promise<string | undefined> {
  const text = file ? await beginningOf(file) : '';
  if (text !== '') return text;
  if (container.terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of log.read({ tailLines: maxLogLines }, new AbortController().signal)) chunks.push(chunk);
  const tail = Buffer.concat(chunks);
  return tail.subarray(Math.max(0, tail.length - maxLogBytes)).toString('utf8') || undefined;
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return '';
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxFileBytes), 0, maxFileBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
