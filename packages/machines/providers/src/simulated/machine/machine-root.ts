import { createHash } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { bootPlan, type PlannedNode } from './boot-plan.ts';
import { type IgnitionDocument, parseIgnitionDocument } from './ignition-document.ts';

/** A configuration written once, from which machines take their files. */
export interface Layer {
  readonly id: string;
  readonly directory: string;
  /** Everything in it, without contents. */
  readonly nodes: readonly PlannedNode[];
}

/** The only part of a machine's disk that machines write to by themselves. */
const ownTree = 'var';

/**
 * Configurations on disk, one copy for all machines that boot with the same bytes. Like the deployments of an image based
 * operating system: a machine's root links to `/etc`, `/usr` and the like of its configuration and never writes there; only
 * `/var` is its own.
 */
export class Layers {
  private readonly directory: string;
  private readonly made = new Map<string, Promise<Layer>>();
  private readonly users = new Map<string, number>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** The layer of a configuration; equal texts share it. */
  of(text: string, what: string): Promise<Layer> {
    const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
    const known = this.made.get(id);
    if (known) return known;
    const making = this.write(id, parseIgnitionDocument(text, what));
    this.made.set(id, making);
    making.catch(() => this.made.delete(id));
    return making;
  }

  /** Another machine has this configuration on its disk. */
  use(id: string): void {
    this.users.set(id, (this.users.get(id) ?? 0) + 1);
  }

  /** One less; true when no machine known to this process has it any more. */
  release(id: string): boolean {
    const left = (this.users.get(id) ?? 1) - 1;
    if (left > 0) this.users.set(id, left);
    else this.users.delete(id);
    return left <= 0;
  }

  /** Takes it off the disk, unless a machine began to use it meanwhile. */
  async remove(id: string): Promise<void> {
    if (this.users.has(id)) return;
    this.made.delete(id);
    await rm(join(this.directory, id), { recursive: true, force: true });
  }

  private async write(id: string, document: IgnitionDocument): Promise<Layer> {
    const nodes = bootPlan(document);
    const directory = join(this.directory, id);
    const draft = `${directory}.${process.pid}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    for (const node of nodes) {
      const path = join(draft, node.path);
      if (node.kind === 'directory') await mkdir(path, { mode: node.mode | 0o700 });
      else if (node.kind === 'link') await symlink(node.target, path);
      else await writeFile(path, node.contents, { mode: node.mode, flag: 'wx' });
    }
    // Written under another name first: a layer that exists is complete. Machines of an earlier process may use it.
    await rename(draft, directory).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      await rm(draft, { recursive: true, force: true });
    });
    const light = nodes.map((node) => (node.kind === 'file' ? { ...node, contents: Buffer.alloc(0) } : node));
    return { id, directory, nodes: light };
  }
}

/** The file system of one machine: a directory nobody else may look into. */
export class MachineRoot {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Where a path of the machine lies on this host. */
  path(inside: string): string {
    return join(this.directory, inside);
  }

  /** Undefined when there is no such file. */
  async read(inside: string): Promise<string | undefined> {
    try {
      return await readFile(this.path(inside), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Replaces a file below /var as a whole; everything else belongs to the configuration. */
  async write(inside: string, contents: string, mode = 0o600): Promise<void> {
    if (!inside.startsWith(`/${ownTree}/`)) throw new Error(`${inside} is not for the machine to write`);
    const path = this.path(inside);
    const draft = `${path}.draft`;
    await writeFile(draft, contents, { mode }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      await writeFile(draft, contents, { mode });
    });
    await rename(draft, path);
  }

  /** Puts a configuration on the disk, in place of an earlier one. */
  async apply(layer: Layer): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    for (const path of ownDirectories(layer)) await mkdir(this.path(path), { recursive: true, mode: 0o755 });
    for (const node of layer.nodes) {
      const path = this.path(node.path);
      const origin = join(layer.directory, node.path);
      if (!isOwn(node.path)) {
        if (dirname(node.path) === '/') await replaced(path, (at) => symlink(relative(this.directory, origin), at));
      } else if (node.kind === 'link') await replaced(path, (at) => symlink(node.target, at));
      // Nothing writes into a file of a root; what changes is replaced, so machines never see each other's changes.
      else if (node.kind === 'file') await replaced(path, (at) => link(origin, at));
      else if (node.mode !== 0o755) await chmod(path, node.mode | 0o700);
    }
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Makes something at a path, in place of what may be there. */
async function replaced(path: string, make: (at: string) => Promise<void>): Promise<void> {
  await make(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    await make(`${path}.draft`);
    await rename(`${path}.draft`, path);
  });
}

const isOwn = (path: string): boolean => path === `/${ownTree}` || path.startsWith(`/${ownTree}/`);

/** Where machines keep what they make themselves. */
const keptDirectories = [`/${ownTree}/lib/ignition`, `/${ownTree}/lib/kubelet/pki`];

/** The deepest directories of `/var`; making them makes all others. */
function ownDirectories({ nodes }: Layer): readonly string[] {
  const directories = nodes.flatMap(({ kind, path }) => (kind === 'directory' && isOwn(path) ? [path] : []));
  const all = [...new Set([...directories, ...keptDirectories])];
  return all.filter((path) => !all.some((other) => other.startsWith(`${path}/`)));
}
