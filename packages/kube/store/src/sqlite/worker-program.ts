import type Libsql from 'libsql';
import type { Failure, Reply, Request, VersionRow } from './protocol.ts';

interface Port {
  postMessage(reply: Reply): void;
  on(event: 'message', listener: (message: { id: number; request: Request }) => void): void;
}

/**
 * The whole program of the database worker. Its source text is what the worker evaluates (see worker-host.ts), so it
 * must stand alone: it may use its parameters and JavaScript itself, and of this module nothing but types.
 *
 * The table keeps versions, not just values: the rows up to the compacted revision are the state at that revision, and
 * each later revision is exactly one row. Replaying them gives values, history and events, and a commit only appends.
 */
export function serveDatabases(
  Database: new (file: string) => Libsql.Database,
  port: Port,
  collectGarbage: () => void,
): void {
  // "hsts"; marks the file as ours, so that a stranger's database is not taken for an empty store.
  const applicationId = 0x68737473;
  const format = 1;
  const rowsPerMessage = 512;

  interface Open {
    readonly db: Libsql.Database;
    readonly insert: Libsql.Statement;
    readonly remove: Libsql.Statement;
    readonly raise: Libsql.Statement;
    failedEpoch: number;
  }
  const databases = new Map<string, Open>();

  function number(db: Libsql.Database, sql: string): number {
    const row = db.prepare(sql).raw().get() as [number | null] | undefined;
    return row?.[0] ?? 0;
  }

  function fail(code: string, message: string): never {
    throw Object.assign(new Error(message), { code });
  }

  let collecting = false;
  /**
   * libsql keeps the files open until the garbage collector has found the connection and all its statements, which in
   * an idle thread is never; so it is called, once for all that close together.
   */
  function letGo(db: Libsql.Database): void {
    db.close();
    if (collecting) return;
    collecting = true;
    setTimeout(() => {
      collecting = false;
      collectGarbage();
    }, 100);
  }

  function close(db: Libsql.Database): void {
    // Gives the lock back now, whenever the files are closed: exclusive locking ends only outside of WAL mode.
    try {
      db.pragma('journal_mode=DELETE');
      db.pragma('locking_mode=NORMAL');
      number(db, 'SELECT revision FROM compaction');
    } catch {
      // No room to fold the log into the file: everything stays safe in the log, and the lock goes with the files.
    }
    letGo(db);
  }

  function prepare(db: Libsql.Database): void {
    // Exclusive locking refuses a second process at once and needs no shared-memory file. FULL syncs the log on every
    // commit. The cache stays small because rows are read once, at opening.
    for (const setting of ['locking_mode=EXCLUSIVE', 'journal_mode=WAL', 'synchronous=FULL', 'cache_size=-128']) {
      db.pragma(setting);
    }
    db.pragma('journal_size_limit=4194304');
    const id = number(db, 'PRAGMA application_id');
    if (id === 0 && number(db, 'SELECT count(*) FROM sqlite_master') === 0) {
      db.exec(`BEGIN IMMEDIATE;
        CREATE TABLE versions (revision INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT, created INTEGER NOT NULL, due INTEGER);
        CREATE TABLE compaction (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL);
        INSERT INTO compaction VALUES (1, 1);
        PRAGMA application_id=${applicationId};
        PRAGMA user_version=${format};
        COMMIT`);
      return;
    }
    if (id !== applicationId) fail('STORE_FOREIGN', 'it is a database of another program');
    const found = number(db, 'PRAGMA user_version');
    if (found !== format) fail('STORE_FORMAT', `its format is ${found}, this program knows ${format}`);
    // A lock is taken by writing only, and it must be ours before anything is read.
    db.exec('BEGIN IMMEDIATE; COMMIT');
  }

  function open(id: number, file: string): number {
    if (databases.has(file)) fail('SQLITE_BUSY', 'it is already open in this process');
    const db = new Database(file);
    try {
      prepare(db);
      let batch: VersionRow[] = [];
      for (const row of db.prepare('SELECT * FROM versions ORDER BY revision').raw().iterate()) {
        batch.push(row as VersionRow);
        if (batch.length < rowsPerMessage) continue;
        port.postMessage({ id, kind: 'rows', rows: batch });
        batch = [];
      }
      if (batch.length > 0) port.postMessage({ id, kind: 'rows', rows: batch });
      databases.set(file, {
        db,
        insert: db.prepare('INSERT INTO versions VALUES (?, ?, ?, ?, ?)'),
        remove: db.prepare('DELETE FROM versions WHERE revision = ?'),
        raise: db.prepare('UPDATE compaction SET revision = max(revision, ?)'),
        failedEpoch: -1,
      });
      return number(db, 'SELECT revision FROM compaction');
    } catch (error) {
      letGo(db);
      throw error;
    }
  }

  function transact(file: string, change: (open: Open) => void): void {
    const opened = databases.get(file);
    if (!opened) return fail('STORE_CLOSED', 'it is not open, or was given up after an earlier error');
    const { db } = opened;
    try {
      db.exec('BEGIN IMMEDIATE');
      change(opened);
      db.exec('COMMIT');
    } catch (error) {
      let undone = false;
      try {
        if (db.inTransaction) db.exec('ROLLBACK');
        undone = !db.inTransaction;
      } catch {
        // Nothing is known any more; the original error is the one to tell.
      }
      // A full disk leaves the log as it was. After any other error (a failed fsync above all) what the disk holds is
      // unknown, and trying again could report success for pages that the kernel has dropped.
      const harmless = undone && (error as { code?: string }).code === 'SQLITE_FULL';
      if (!harmless) {
        databases.delete(file);
        letGo(db);
      }
      throw Object.assign(error as Error, { harmless });
    }
  }

  function write(file: string, rows: readonly VersionRow[], epoch: number): number {
    const opened = databases.get(file);
    if (opened && epoch <= opened.failedEpoch)
      return fail('STORE_BEHIND_FAILURE', 'the transaction before this one failed');
    try {
      transact(file, ({ insert }) => {
        for (const row of rows) insert.run(...row);
      });
    } catch (error) {
      if (opened) opened.failedEpoch = epoch;
      throw error;
    }
    return 0;
  }

  function handle(id: number, request: Request): number {
    switch (request.op) {
      case 'open':
        return open(id, request.file);
      case 'write':
        return write(request.file, request.rows, request.epoch ?? 0);
      case 'compact':
        transact(request.file, ({ remove, raise }) => {
          for (const revision of request.gone) remove.run(revision);
          raise.run(request.compacted);
        });
        return 0;
      case 'close': {
        const opened = databases.get(request.file);
        databases.delete(request.file);
        if (opened) close(opened.db);
        return 0;
      }
      default:
        request satisfies never;
        return fail('UNKNOWN', 'not a request');
    }
  }

  port.on('message', ({ id, request }) => {
    try {
      port.postMessage({ id, kind: 'done', compacted: handle(id, request) });
    } catch (error) {
      const { message, code = 'UNKNOWN', harmless = false } = error as Partial<Failure>;
      port.postMessage({ id, kind: 'failed', failure: { message: message ?? String(error), code, harmless } });
    }
  });
}
