import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { createMemoryStore, openSqliteStore, type Store, StoreUnavailableError } from '@hypershift-ts/kube-store';
import { ClusterStore } from './cluster-store.ts';

/** A member as it runs now. */
export interface RunningMember {
  readonly name: string;
  /** Absent: memory. */
  readonly dataDir: string | undefined;
  readonly log: (message: string) => void;
}

const stateFile = 'state.db';
const holderFile = 'holder';

/**
 * The members of one builtin etcd cluster. They share one store, kept in the data directory of the member that made it:
 * nothing is replicated, but the rules of a quorum hold, so that what users see of lost members is what etcd would show.
 */
export class EtcdCluster {
  private readonly size: number;
  private readonly clock: Clock;
  private readonly onEmpty: () => void;
  private readonly members = new Map<string, RunningMember>();
  private readonly handles = new Set<ClusterStore>();
  private store: Store | undefined;
  private holder: string | undefined;
  /** Members come and go one at a time. */
  private turn: Promise<void> = Promise.resolve();

  constructor(options: { readonly size: number; readonly clock: Clock; readonly onEmpty: () => void }) {
    this.size = options.size;
    this.clock = options.clock;
    this.onEmpty = options.onEmpty;
  }

  get quorum(): number {
    return Math.floor(this.size / 2) + 1;
  }

  join(member: RunningMember): Promise<void> {
    return this.inTurn(async () => {
      if (this.members.has(member.name)) throw new Error(`member ${member.name} of this cluster is running already`);
      this.members.set(member.name, member);
      try {
        await this.openStore();
      } catch (error) {
        this.members.delete(member.name);
        throw error;
      }
    });
  }

  leave(member: RunningMember): Promise<void> {
    return this.inTurn(async () => {
      if (this.members.get(member.name) !== member) return;
      this.members.delete(member.name);
      if (this.members.size === 0) await this.closeStore();
    });
  }

  /** Why nothing can be read or written now; undefined when all is well. */
  problem(): string | undefined {
    if (this.members.size < this.quorum)
      return `${this.members.size} of ${this.size} members run, ${this.quorum} are needed for a quorum`;
    if (!this.store) return this.holder ? `waiting for member ${this.holder}, which holds the data` : 'not opened yet';
    return undefined;
  }

  /** The store while a quorum runs; throws StoreUnavailableError otherwise. */
  live(): Store {
    const problem = this.problem();
    if (problem || !this.store) throw new StoreUnavailableError(`etcdserver: no leader: ${problem}`);
    return this.store;
  }

  /** The store whether or not a quorum runs: watches stay where they are meanwhile. */
  get opened(): Store | undefined {
    return this.store;
  }

  get isOpen(): boolean {
    return this.store !== undefined;
  }

  /** A client's view; closing it leaves the cluster alone. */
  connect(): Store {
    const handle = new ClusterStore(this, () => {
      this.handles.delete(handle);
      this.forgetWhenEmpty();
    });
    this.handles.add(handle);
    return handle;
  }

  private async openStore(): Promise<void> {
    if (this.store) return this.markHolder();
    if (this.members.size < this.quorum) return;
    const members = [...this.members.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const owner = await this.ownerAmong(members);
    if (!owner) return;
    this.holder = owner.name;
    if (owner.dataDir) {
      await mkdir(join(owner.dataDir, 'member'), { recursive: true, mode: 0o700 });
      this.store = await openSqliteStore({ file: join(owner.dataDir, 'member', stateFile), clock: this.clock });
    } else this.store = createMemoryStore({ clock: this.clock });
    if (this.size > 1)
      owner.log(
        `the ${this.size} members share one store in the data directory of ${owner.name}: a quorum is required as with etcd, but data is not replicated`,
      );
    await this.markHolder();
    for (const handle of this.handles) handle.resume();
  }

  /** Who has the data: the member with the file; the first one when no member ever joined a store. */
  private async ownerAmong(members: readonly RunningMember[]): Promise<RunningMember | undefined> {
    for (const member of members)
      if (member.dataDir && (await exists(join(member.dataDir, 'member', stateFile)))) return member;
    for (const { dataDir, log } of members) {
      const holder = dataDir && (await readFile(join(dataDir, 'member', holderFile), 'utf8').catch(() => undefined));
      if (!holder) continue;
      this.holder = holder;
      log(`waiting for member ${holder}, which holds the data`);
      return undefined;
    }
    return members[0];
  }

  /** Members remember who has the data, so that a restart without it waits instead of beginning anew. */
  private async markHolder(): Promise<void> {
    for (const { name, dataDir } of this.members.values()) {
      if (!dataDir || name === this.holder) continue;
      await mkdir(join(dataDir, 'member'), { recursive: true, mode: 0o700 });
      await writeFile(join(dataDir, 'member', holderFile), this.holder ?? '', { mode: 0o600 });
    }
  }

  private async closeStore(): Promise<void> {
    const { store } = this;
    this.store = undefined;
    await store?.close();
    this.forgetWhenEmpty();
  }

  private forgetWhenEmpty(): void {
    if (this.members.size === 0 && this.handles.size === 0) this.onEmpty();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
