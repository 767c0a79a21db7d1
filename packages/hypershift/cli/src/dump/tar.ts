const blockSize = 512;

/** A file of the archive. */
export interface TarEntry {
  readonly path: string;
  readonly content: Uint8Array;
}

function header(name: string, prefix: string, size: number, mtime: number): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, offset: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'ascii');
  block.write(name, 0, 'utf8');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(mtime, 136, 12);
  block.write('        0', 148, 'ascii');
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345, 'utf8');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return block;
}

/** Long paths are split at a slash: 155 bytes of folders, 100 of name. */
function split(path: string): readonly [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= 100) return [path, ''];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (Buffer.byteLength(path.slice(at + 1)) <= 100 && at <= 155) return [path.slice(at + 1), path.slice(0, at)];
  return [path.slice(-100), ''];
}

/** A tar archive in the ustar format. */
export function tarOf(entries: readonly TarEntry[], nowMs: number): Buffer {
  const mtime = Math.floor(nowMs / 1000);
  const blocks = entries.flatMap(({ path, content }) => {
    const [name, prefix] = split(path);
    const padding = Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize);
    return [header(name, prefix, content.length, mtime), Buffer.from(content), padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}
