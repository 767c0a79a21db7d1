import { createHash } from 'node:crypto';
import { causeText, ReleaseError } from '../errors.ts';
import type { RegistryLimits } from './limits.ts';
import type { Descriptor } from './manifest.ts';
import { type TarEntry, TarScanner } from './tar-scanner.ts';
import { Unpacker } from './unpacker.ts';

export interface WantedFiles {
  /** Layers are read, newest first, until all of these were found. */
  readonly required: readonly string[];
  /** Taken along when they lie in a layer that is read anyway. */
  readonly optional?: readonly string[];
}

const whiteout = '.wh.';
const opaque = '.wh..wh..opq';

/** Collects files from the layers of one image, newest layer first, within limits, believing only verified layers. */
export class FileExtraction {
  readonly files = new Map<string, Buffer>();
  private readonly wanted: ReadonlySet<string>;
  private readonly required: readonly string[];
  private readonly limits: RegistryLimits;
  private readonly image: string;
  /** Paths and folders that a newer layer removed. */
  private readonly removed = new Set<string>();
  private transferred = 0;
  private unpacked = 0;

  constructor(image: string, wanted: WantedFiles, limits: RegistryLimits) {
    this.image = image;
    this.required = wanted.required;
    this.wanted = new Set([...wanted.required, ...(wanted.optional ?? [])]);
    this.limits = limits;
  }

  get complete(): boolean {
    return this.required.every((name) => this.files.has(name));
  }

  /** Reads one layer to its end, so that its digest can be checked, and keeps what is wanted if it holds. */
  async layer(descriptor: Descriptor, body: AsyncIterable<Uint8Array>): Promise<void> {
    const found = new Map<string, Buffer>();
    const removedHere: string[] = [];
    const scanner = new TarScanner({
      wants: (entry) => this.wants(entry, found, removedHere),
      content: ({ name }, bytes) => void found.set(name, bytes),
    });
    const unpacker = new Unpacker((bytes) => {
      this.unpacked += bytes.length;
      if (this.unpacked > this.limits.unpackedBytes) throw this.tooLarge('unpacked', this.limits.unpackedBytes);
      scanner.write(bytes);
    });
    try {
      const scanning = () => !scanner.ended && found.size < this.wanted.size - this.files.size;
      await this.read(descriptor, body, (piece) => (scanning() ? unpacker.write(piece) : undefined));
      if (scanning()) await unpacker.end();
    } catch (error) {
      if (error instanceof ReleaseError) throw error;
      throw new ReleaseError('REGISTRY_PROTOCOL', {
        message: `layer ${descriptor.digest} of ${this.image} cannot be read: ${causeText(error)}`,
        fix: 'check the network, and that the image was pushed completely',
        cause: error,
      });
    } finally {
      unpacker.close();
    }
    for (const [name, bytes] of found) this.files.set(name, bytes);
    for (const path of removedHere) this.removed.add(path);
  }

  private async read(
    { digest, size }: Descriptor,
    body: AsyncIterable<Uint8Array>,
    take: (piece: Buffer) => Promise<void> | undefined,
  ): Promise<void> {
    const [algorithm, expected] = digest.split(':') as [string, string];
    const hash = createHash(algorithm);
    let length = 0;
    for await (const bytes of this.transfer(digest, body)) {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      length += piece.length;
      this.transferred += piece.length;
      if (length > size) throw this.mismatch(digest, `more than the promised ${size} bytes came`);
      if (this.transferred > this.limits.transferBytes) throw this.tooLarge('transferred', this.limits.transferBytes);
      hash.update(piece);
      await take(piece);
    }
    if (length !== size) throw this.mismatch(digest, `${length} of the promised ${size} bytes came`);
    const actual = hash.digest('hex');
    if (actual !== expected) throw this.mismatch(digest, `its content has digest ${algorithm}:${actual}`);
  }

  /** The bytes as they come; a connection that breaks is told apart from content that is broken. */
  private async *transfer(digest: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (cause) {
      throw new ReleaseError('REGISTRY_UNREACHABLE', {
        message: `layer ${digest} of ${this.image} did not arrive: ${causeText(cause)}`,
        fix: 'it is tried again; check the network if this stays',
        cause,
      });
    }
  }

  private wants(entry: TarEntry, found: ReadonlyMap<string, Buffer>, removedHere: string[]): boolean {
    const slash = entry.name.lastIndexOf('/');
    const base = entry.name.slice(slash + 1);
    if (base.startsWith(whiteout)) {
      const folder = entry.name.slice(0, slash + 1);
      removedHere.push(base === opaque ? folder.slice(0, -1) : `${folder}${base.slice(whiteout.length)}`);
      return false;
    }
    if (!entry.isFile || !this.wanted.has(entry.name)) return false;
    if (this.files.has(entry.name) || found.has(entry.name) || this.isRemoved(entry.name)) return false;
    if (entry.size > this.limits.fileBytes) throw this.tooLarge(entry.name, this.limits.fileBytes);
    return true;
  }

  private isRemoved(name: string): boolean {
    for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1))
      if (this.removed.has(name.slice(0, end))) return true;
    return false;
  }

  private mismatch(digest: string, why: string): ReleaseError {
    return new ReleaseError('REGISTRY_DIGEST_MISMATCH', {
      message: `layer ${digest} of ${this.image} is not what it should be: ${why}`,
      fix: 'check the registry or the mirror it came from; push the image again if it is damaged',
    });
  }

  private tooLarge(what: string, limit: number): ReleaseError {
    return new ReleaseError('REGISTRY_LIMIT_EXCEEDED', {
      message: `${this.image} is too large: ${what} exceeds ${limit} bytes`,
      fix: 'check that the image is a release image',
      field: 'spec.release.image',
    });
  }
}
