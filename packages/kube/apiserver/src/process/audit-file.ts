import { createWriteStream } from 'node:fs';
import type { AuditSink } from '../audit/audit.ts';

/** Writes audit events to a file (or standard output for `-`), one JSON line each, without holding up requests. */
export function auditFile(path: string): { readonly sink: AuditSink; readonly close: () => Promise<void> } {
  const stream = path === '-' ? process.stdout : createWriteStream(path, { flags: 'a', mode: 0o600 });
  stream.on('error', () => {});
  return {
    sink: (event) => void stream.write(`${JSON.stringify(event)}\n`),
    close: () => (path === '-' ? Promise.resolve() : new Promise((resolve) => stream.end(() => resolve()))),
  };
}
