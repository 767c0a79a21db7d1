import { gzipSync } from 'node:zlib';

export interface TarFile {
  readonly name: string;
  readonly content?: string | Buffer;
  /** Ustar type flag; a regular file unless given. */
  readonly type?: string;
}

function header(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name.slice(0, 100), 0);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write(type, 156);
  block.write('ustar\x0000', 257);
  block.write('        ', 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const padded = (body: Buffer) => Buffer.concat([body, Buffer.alloc((512 - (body.length % 512)) % 512)]);

/** A tar archive; names over 100 characters get a pax header. */
export function tar(files: readonly TarFile[]): Buffer {
  const blocks: Buffer[] = [];
  for (const { name, content = '', type = '0' } of files) {
    const body = Buffer.from(content);
    if (name.length > 100) {
      const record = ` path=${name}\n`;
      const length = record.length + String(record.length + 3).length;
      const pax = Buffer.from(`${length}${record}`);
      blocks.push(header('pax', pax.length, 'x'), padded(pax));
    }
    blocks.push(header(name, body.length, type), padded(body));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export const layerOf = (files: readonly TarFile[]) => gzipSync(tar(files));
