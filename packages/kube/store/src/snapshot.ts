import { setImmediate } from 'node:timers/promises';
import type { Entry } from './store.ts';

/** Marks the format; a newer incompatible one gets another number. */
const format = 'hypershift-ts-store/1';

export interface SnapshotEntry {
  readonly entry: Entry;
  /** When the key is to vanish, in milliseconds since the epoch. */
  readonly dueMs: number | undefined;
}

/** Encoding pauses this often, so that a large store does not hold up everybody else in the process. */
const entriesPerTurn = 500;

/** A header line with format, revision and number of entries, then one JSON line for each entry. */
export async function encodeSnapshot(
  revision: number,
  entries: readonly Entry[],
  dueMs: (entry: Entry) => number | undefined,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [Buffer.from(`${JSON.stringify({ format, revision, entries: entries.length })}\n`)];
  for (const [index, entry] of entries.entries()) {
    const { key, value, modRevision, createRevision } = entry;
    const due = dueMs(entry);
    const line = [key, value, modRevision, createRevision, ...(due === undefined ? [] : [due])];
    chunks.push(Buffer.from(`${JSON.stringify(line)}\n`));
    if (index % entriesPerTurn === entriesPerTurn - 1) await setImmediate();
  }
  return Buffer.concat(chunks);
}

/** Reads what encodeSnapshot() wrote; throws on anything else, also on a cut-off file. */
export function decodeSnapshot(snapshot: Uint8Array): { revision: number; entries: SnapshotEntry[] } {
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  let position = 0;
  const nextLine = (): unknown => {
    const newline = bytes.indexOf(10, position);
    if (newline < 0) throw new Error('not a store snapshot, or cut off: a line without end');
    const line: unknown = JSON.parse(bytes.toString('utf8', position, newline));
    position = newline + 1;
    return line;
  };
  const header = nextLine() as { format?: unknown; revision?: unknown; entries?: unknown } | null;
  if (header?.format !== format || !Number.isSafeInteger(header.revision) || !Number.isSafeInteger(header.entries)) {
    throw new Error(`not a store snapshot: expected a header of format ${format}`);
  }
  const entries: SnapshotEntry[] = [];
  for (let i = 0; i < (header.entries as number); i++) entries.push(parseEntry(nextLine()));
  return { revision: header.revision as number, entries };
}

function parseEntry(line: unknown): SnapshotEntry {
  const [key, value, modRevision, createRevision, dueMs] = Array.isArray(line) ? (line as unknown[]) : [];
  if (
    typeof key !== 'string' ||
    typeof value !== 'string' ||
    typeof modRevision !== 'number' ||
    typeof createRevision !== 'number' ||
    (dueMs !== undefined && typeof dueMs !== 'number')
  ) {
    throw new Error('not a store snapshot: an entry is malformed');
  }
  return { entry: { key, value, modRevision, createRevision, memo: undefined }, dueMs };
}
