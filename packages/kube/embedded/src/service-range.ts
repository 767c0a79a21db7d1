import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** 127.64.0.0 to 127.127.255.255 in blocks of 4096 addresses. */
const blocks = 64 * 16;
/** Held on the last address of a block while its cluster lives. */
const claimPort = 40_959;
const tries = 64;

/** The loopback range of a block. */
export function serviceRange(block: number): string {
  return `127.${64 + (block >> 4)}.${(block & 15) << 4}.0/20`;
}

/** Where the search begins: by the data directory, which spreads clusters and is the same again, or by chance. */
export function firstBlock(dataDir: string | undefined, random: () => number = Math.random): number {
  return dataDir
    ? createHash('sha256').update(dataDir).digest().readUInt32BE(0) % blocks
    : Math.floor(random() * blocks);
}

export interface ClaimedRange {
  readonly cidr: string;
  release(): Promise<void>;
}

/**
 * The loopback range a cluster's Services get their addresses from. Clusters of one machine listen on the same loopback
 * interface, so each has a range of its own, claimed by a socket as long as it lives. A data directory remembers its
 * range, because the Services in it have addresses already.
 */
export async function claimServiceRange(
  dataDir: string | undefined,
  random: () => number = Math.random,
): Promise<ClaimedRange> {
  const file = dataDir ? join(dataDir, 'service-range') : undefined;
  const known = file ? Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10) : Number.NaN;
  if (Number.isInteger(known) && known >= 0 && known < blocks) return claimed(known, await claim(known));
  const first = firstBlock(dataDir, random);
  for (let step = 0; step < tries; step++) {
    const block = (first + step) % blocks;
    const socket = await claim(block);
    if (!socket) continue;
    if (file) await writeFile(file, String(block), { mode: 0o600 });
    return claimed(block, socket);
  }
  throw new Error(`no free loopback range for Services: ${tries} of them are in use by other clusters of this machine`);
}

function claimed(block: number, socket: Server | undefined): ClaimedRange {
  return {
    cidr: serviceRange(block),
    release: () => new Promise((resolve) => (socket ? socket.close(() => resolve()) : resolve())),
  };
}

/** The socket that holds a block, or undefined when another cluster has it. */
function claim(block: number): Promise<Server | undefined> {
  const address = `127.${64 + (block >> 4)}.${((block & 15) << 4) + 15}.254`;
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ host: address, port: claimPort, exclusive: true }, () => resolve(server));
  });
}
