import { chmod, lstat, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of a projected volume. */
export interface PayloadFile {
  readonly data: Buffer;
  readonly mode: number;
}

/** Relative paths to contents. */
export type Payload = ReadonlyMap<string, PayloadFile>;

const dataLink = '..data';

class PayloadError extends Error {}

/** Refuses paths that would leave the volume or collide with the writer's own names. */
function checkPayloadPath(path: string): void {
  const parts = path.split('/');
  if (
    path === '' ||
    path.startsWith('/') ||
    path.length > 4096 ||
    parts.some((part) => part === '..' || part.length > 255)
  )
    throw new PayloadError(`invalid path "${path}": must be relative and stay inside the volume`);
  if ((parts[0] as string).startsWith('..')) throw new PayloadError(`invalid path "${path}": must not start with ".."`);
}

/**
 * Keeps a directory equal to a payload in the layout Kubernetes uses: files live in a dated directory, `..data` points to it,
 * and each visible entry is a link through `..data`. One rename switches every file at once, so a reader sees the old
 * contents or the new, never a mixture.
 */
export class AtomicWriter {
  private readonly directory: string;
  private written: Payload | undefined;
  private turn = 0;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Writes the payload; false when it was there already. */
  async write(payload: Payload, nowMs: number): Promise<boolean> {
    if (this.written && isSame(this.written, payload)) return false;
    for (const path of payload.keys()) checkPayloadPath(path);
    const { dated, isFirst } = await this.newDirectory(nowMs);
    for (const [path, { data, mode }] of payload) await writeOne(join(this.directory, dated), path, data, mode);
    const visible = new Set([...payload.keys()].map((path) => path.split('/', 1)[0] as string));
    await (isFirst ? this.present(dated, visible) : this.replace(dated, visible));
    this.written = payload;
    return true;
  }

  /** The links of a directory that was empty. */
  private async present(dated: string, visible: ReadonlySet<string>): Promise<void> {
    await symlink(dated, join(this.directory, dataLink));
    for (const name of visible) await symlink(join(dataLink, name), join(this.directory, name));
  }

  private async replace(dated: string, visible: ReadonlySet<string>): Promise<void> {
    const previous = await readlink(join(this.directory, dataLink)).catch(() => undefined);
    const temporary = join(this.directory, '..data_tmp');
    await rm(temporary, { force: true });
    await symlink(dated, temporary);
    await rename(temporary, join(this.directory, dataLink));
    await this.link(visible);
    if (previous && previous !== dated) await rm(join(this.directory, previous), { recursive: true, force: true });
  }

  /** A directory for the files; the first of all when the volume's own had to be made with it. */
  private async newDirectory(nowMs: number): Promise<{ readonly dated: string; readonly isFirst: boolean }> {
    const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_');
    for (;;) {
      const dated = `..${time}.${String(++this.turn).padStart(9, '0')}`;
      const path = join(this.directory, dated);
      const made = await mkdir(path, { recursive: true, mode: 0o755 });
      if (made !== undefined) return { dated, isFirst: made !== path };
    }
  }

  private async link(visible: ReadonlySet<string>): Promise<void> {
    for (const name of visible) {
      const path = join(this.directory, name);
      if (!(await lstat(path).catch(() => undefined))) await symlink(join(dataLink, name), path);
    }
    for (const name of await readdir(this.directory))
      if (!name.startsWith('..') && !visible.has(name)) await rm(join(this.directory, name), { force: true });
  }
}

async function writeOne(directory: string, path: string, data: Buffer, mode: number): Promise<void> {
  const file = join(directory, path);
  if (path.includes('/')) await mkdir(dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(file, data, { mode });
  // The umask must not take away what the volume asked for.
  if ((mode & umask()) !== 0) await chmod(file, mode);
}

let masked: number | undefined;

/** Asked once: the only way to read it also sets it. */
function umask(): number {
  masked ??= process.umask();
  return masked;
}

function isSame(a: Payload, b: Payload): boolean {
  if (a.size !== b.size) return false;
  for (const [path, file] of a) {
    const other = b.get(path);
    if (!other || other.mode !== file.mode || !other.data.equals(file.data)) return false;
  }
  return true;
}
