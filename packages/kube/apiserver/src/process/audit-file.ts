import { createWriteStream } from 'node:fs';
import type { AuditSink } from '../audit/audit.ts';

/** Writes audit events to a file (or standard output for `-`), one JSON line each, without holding up requests. */
export function auditFile(path: string): { readonly sink: AuditSink; readonly close: () => Promise<void> } {
  const stream = path === '-' ? process.stdout : createWriteStream(path, { flags: 'a', mode: 0o600 });
  stream.on('error', () => {});
  let lines = '';
  const flush = (): void => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  return {
    // What a turn of the event loop answers is written at once: a write costs more than a line.
    sink: (event) => {
      if (lines === '') setImmediate(flush);
      lines += `${JSON.stringify(event)}\n`;
    },
    close: () => {
      flush();
      return path === '-' ? Promise.resolve() : new Promise((resolve) => stream.end(() => resolve()));
    },
  };
}
