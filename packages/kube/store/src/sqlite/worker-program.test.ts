import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import type { Reply, Request, VersionRow } from './protocol.ts';
import { serveDatabases } from './worker-program.ts';

const Database = createRequire(import.meta.url)('libsql') as new (file: string) => Libsql.Database;

/** The program of the worker on this thread, over databases that may hold only so many pages. */
function aWorker(mostPages: number) {
  const replies: Reply[] = [];
  let receive: (message: { id: number; request: Request }) => void = () => {};
  class SmallDatabase extends Database {
    constructor(file: string) {
      super(file);
      this.pragma(`max_page_count=${mostPages}`);
    }
  }
  const port = {
    postMessage: (reply: Reply) => void replies.push(reply),
    on: (_event: 'message', listener: typeof receive) => {
      receive = listener;
    },
  };
  serveDatabases(SmallDatabase, port, () => {});
  return (request: Request): Reply => {
    receive({ id: 1, request });
    return replies.at(-1)!;
  };
}

const row = (revision: number, size: number): VersionRow => [
  revision,
  `/${revision}`,
  'x'.repeat(size),
  revision,
  null,
];

describe('serveDatabases', () => {
  it('When a transaction fails, it should refuse those that were built on it, and take those of the next epoch', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'store-worker-'));
    const file = join(directory, 'store.db');
    const ask = aWorker(40);
    const kinds: string[] = [];
    const write = (rows: VersionRow[], epoch: number) => {
      const reply = ask({ op: 'write', file, rows, epoch });
      kinds.push(reply.kind === 'failed' ? reply.failure.code : reply.kind);
    };
    ask({ op: 'open', file });
    write([row(2, 100)], 0);
    write([row(3, 1_000_000)], 0);
    write([row(4, 100)], 0);
    write([row(3, 100)], 1);
    expect(kinds).toEqual(['done', 'SQLITE_FULL', 'STORE_BEHIND_FAILURE', 'done']);
    ask({ op: 'close', file });
    await rm(directory, { recursive: true });
  });
});
