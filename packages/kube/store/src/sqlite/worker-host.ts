import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Failure, Reply, Request, VersionRow } from './protocol.ts';
import { serveDatabases } from './worker-program.ts';

/** The worker refused or could not do something. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';
  readonly code: string;
  readonly harmless: boolean;

  constructor({ message, code, harmless }: Failure) {
    super(message);
    this.code = code;
    this.harmless = harmless;
  }
}

interface Call {
  readonly onRows: ((rows: readonly VersionRow[]) => void) | undefined;
  readonly resolve: (compacted: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The one thread in which all databases of this process wait for the disk. It is started by the first store, keeps the
 * process alive only while somebody waits for an answer, and is replaced when it dies.
 */
class DatabaseWorker {
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;

  constructor(onExit: () => void) {
    // Neither a path to a .ts file (tests) nor to a file beside the bundle (product) would exist in both worlds, so the
    // worker evaluates the text of a function that stands alone. The bundler may wrap inner functions in __name().
    const program = `const __name = (value) => value;
      const { parentPort, workerData } = require('node:worker_threads');
      require('node:v8').setFlagsFromString('--expose-gc');
      const collectGarbage = require('node:vm').runInNewContext('gc');
      (${serveDatabases.toString()})(require(workerData.libsql), parentPort, collectGarbage);`;
    const libsql = createRequire(import.meta.url).resolve('libsql');
    this.#worker = new Worker(program, { eval: true, name: 'store', workerData: { libsql } });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#answer(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => {
      this.#fail(new Error('the database thread ended'));
      onExit();
    });
  }

  call(request: Request, onRows?: (rows: readonly VersionRow[]) => void): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#calls.size === 0) this.#worker.ref();
      const id = ++this.#lastId;
      this.#calls.set(id, { onRows, resolve, reject });
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ id, request });
    });
  }

  #answer(reply: Reply): void {
    const call = this.#calls.get(reply.id);
    if (!call) return;
    if (reply.kind === 'rows') {
      call.onRows?.(reply.rows);
      return;
    }
    this.#calls.delete(reply.id);
    if (this.#calls.size === 0) this.#worker.unref();
    if (reply.kind === 'done') call.resolve(reply.compacted);
    else call.reject(new DatabaseFailure(reply.failure));
  }

  #fail(error: Error): void {
    const failure = new DatabaseFailure({ message: error.message, code: 'WORKER', harmless: false });
    for (const call of this.#calls.values()) call.reject(failure);
    this.#calls.clear();
  }
}

let shared: DatabaseWorker | undefined;

/** Asks the process's database thread. */
export function callDatabase(request: Request, onRows?: (rows: readonly VersionRow[]) => void): Promise<number> {
  if (!shared) {
    const worker = new DatabaseWorker(() => {
      if (shared === worker) shared = undefined;
    });
    shared = worker;
  }
  return shared.call(request, onRows);
}
