import { createHash } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bootPlan, type PlannedNode } from './boot-plan.ts';
import { type IgnitionDocument, parseIgnitionDocument } from './ignition-document.ts';

/** A configuration written once, from which machines take their files. */
export interface Layer {
  readonly id: string;
  readonly directory: string;
  readonly nodes: readonly PlannedNode[];
}

/**
 * Configurations on disk, one copy for all machines that boot with the same bytes: a machine's root gets hard links.
 * Nothing writes into a file of a root; what changes is replaced, so machines never see each other's changes.
 */
export class Layers {
  private readonly directory: string;
  private readonly made = new Map<string, Promise<Layer>>();

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

  private async write(id: string, document: IgnitionDocument): Promise<Layer> {
    const nodes = bootPlan(document);
    const directory = join(this.directory, id);
    const draft = `${directory}.${process.pid}.draft`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    let number = 0;
    for (const node of nodes)
      if (node.kind === 'file')
        await writeFile(join(draft, String(number++)), node.contents, { mode: node.mode, flag: 'wx' });
    // Written under another name first: a layer that exists is complete.
    await rm(directory, { recursive: true, force: true });
    await rename(draft, directory);
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

  /** Replaces a file as a whole. */
  async write(inside: string, contents: string, mode = 0o600): Promise<void> {
    const path = this.path(inside);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    const draft = `${path}.draft`;
    await writeFile(draft, contents, { mode });
    await rename(draft, path);
  }

  async list(inside: string): Promise<readonly string[]> {
    return readdir(this.path(inside)).catch(() => []);
  }

  /** Puts a configuration on the disk, replacing files of an earlier one. */
  async apply(layer: Layer): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    let number = 0;
    for (const node of layer.nodes) {
      const path = this.path(node.path);
      if (node.kind === 'directory') await ignoring('EEXIST', mkdir(path, { mode: node.mode | 0o700 }));
      else {
        const make = () =>
          node.kind === 'link' ? symlink(node.target, path) : link(join(layer.directory, String(number)), path);
        await make().catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          await unlink(path);
          await make();
        });
        if (node.kind === 'file') number++;
      }
    }
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function ignoring(code: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== code) throw error;
  });
}
