import { createHash } from 'node:crypto';

/**
 * The loopback range a cluster's Services get their addresses from. Clusters of one machine listen on the same
 * loopback interface, so each has a range of its own: by its data directory, which keeps it across restarts, or by
 * chance. 127.64.0.0 to 127.127.255.255 in blocks of 4096 addresses.
 */
export function serviceRangeOf(dataDir: string | undefined, random: () => number = Math.random): string {
  const blocks = 64 * 16;
  const block = dataDir
    ? createHash('sha256').update(dataDir).digest().readUInt32BE(0) % blocks
    : Math.floor(random() * blocks);
  return `127.${64 + (block >> 4)}.${(block & 15) << 4}.0/20`;
}
