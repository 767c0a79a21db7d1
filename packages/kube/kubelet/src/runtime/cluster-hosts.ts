import { readFile, writeFile } from 'node:fs/promises';
import type { ClusterNames } from '../services/cluster-names.ts';

/** Names in a program's words that only a cluster's DNS knows. */
const clusterName =
  /\b[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+\.svc(?:\.cluster\.local)?\b/g;

export function clusterNamesIn(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => word.match(clusterName) ?? []))].sort();
}

/**
 * A hosts file for one process, kept up to date while Services and endpoints move. Written in place, because the process
 * sees the file, not its name.
 */
export class ClusterHosts {
  readonly file: string;
  private readonly names: readonly string[];
  private readonly cluster: ClusterNames;
  private readonly namespace: string;
  private written = '';
  private writing: Promise<void> = Promise.resolve();
  private unfollow: () => void = () => {};

  constructor(file: string, names: readonly string[], cluster: ClusterNames, namespace: string) {
    this.file = file;
    this.names = names;
    this.cluster = cluster;
    this.namespace = namespace;
  }

  async start(): Promise<void> {
    const own = await readFile('/etc/hosts', 'utf8').catch(() => '127.0.0.1 localhost\n');
    this.unfollow = this.cluster.follow(() => this.refresh(own));
    this.refresh(own);
    await this.writing;
  }

  stop(): void {
    this.unfollow();
  }

  private refresh(own: string): void {
    const lines = this.names.flatMap((name) => {
      const address = this.cluster.resolve(name, this.namespace);
      return address === name ? [] : [`${address} ${name}`];
    });
    const text = `${own.trimEnd()}\n${lines.join('\n')}\n`;
    if (text === this.written) return;
    this.written = text;
    // A file that cannot be written is found out by the program, which says which name it misses.
    this.writing = this.writing.then(() => writeFile(this.file, text, { mode: 0o600 })).catch(() => {});
  }
}

/** A command that runs another with the file in the place of /etc/hosts, as the same process. Linux; needs no privileges. */
export function withHosts(file: string, program: string, args: readonly string[]): [program: string, args: string[]] {
  const script = 'mount --bind "$0" /etc/hosts && exec "$@"';
  return ['unshare', ['--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c', script, file, program, ...args]];
}
