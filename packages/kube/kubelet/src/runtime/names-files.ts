import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterNames } from '../services/cluster-names.ts';

interface NamesFile {
  readonly file: string;
  users: number;
  written: string;
  writing: Promise<void>;
}

/**
 * One hosts file for each namespace that has processes here, kept up to date while Services and endpoints move. Replaced
 * as a whole, so that a reader never sees half of it.
 */
export class NamesFiles {
  private readonly directory: string;
  private readonly names: ClusterNames;
  private readonly files = new Map<string, NamesFile>();
  private unfollow: (() => void) | undefined;
  private refreshing = false;

  constructor(directory: string, names: ClusterNames) {
    this.directory = directory;
    this.names = names;
  }

  /** The file of a namespace, complete; to be given back with release(). */
  async use(namespace: string): Promise<string> {
    const entry = this.files.get(namespace) ?? {
      file: join(this.directory, namespace),
      users: 0,
      written: '',
      writing: mkdir(this.directory, { recursive: true, mode: 0o700 }).then(() => {}),
    };
    entry.users++;
    this.files.set(namespace, entry);
    this.unfollow ??= this.names.follow(() => this.soon());
    this.write(namespace, entry);
    await entry.writing;
    return entry.file;
  }

  release(namespace: string): void {
    const entry = this.files.get(namespace);
    if (!entry || --entry.users > 0) return;
    this.files.delete(namespace);
    if (this.files.size > 0) return;
    this.unfollow?.();
    this.unfollow = undefined;
  }

  /** Changes come in bursts; one write answers all of a burst. */
  private soon(): void {
    if (this.refreshing) return;
    this.refreshing = true;
    setImmediate(() => {
      this.refreshing = false;
      for (const [namespace, entry] of this.files) this.write(namespace, entry);
    });
  }

  private write(namespace: string, entry: NamesFile): void {
    const text = this.names
      .namesIn(namespace)
      .map(([name, address]) => `${address} ${name}\n`)
      .join('');
    if (text === entry.written) return;
    entry.written = text;
    // A file that cannot be written is found out by the program, which says which name it misses.
    entry.writing = entry.writing
      .then(() => writeFile(`${entry.file}.new`, text, { mode: 0o600 }))
      .then(() => rename(`${entry.file}.new`, entry.file))
      .catch(() => {});
  }
}
