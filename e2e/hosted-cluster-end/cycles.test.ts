import { beforeAll, describe, expect, it } from 'vitest';
import type { Measurement } from './cycles/measurement.ts';
import { longestMs, runCycles } from './cycles/run-cycles.ts';

/** Caches, compiled code and folders of nodes that had no pod before come with the first clusters. */
const warmUp = 3;
/** `CYCLES=100` is the long run; the short one finds what a cluster leaves behind as a whole. */
const cycles = Number(process.env['CYCLES'] ?? 3);
const isLong = cycles >= 50;
const allowedGrowth = isLong ? 1.05 : 1.15;

const shapes = [...(isLong ? [{ platform: 'none', nodes: 0 }] : []), { platform: 'kubevirt', nodes: 1 }];

describe.each(shapes)('Creating and deleting $platform clusters with $nodes nodes', (shape) => {
  let before: Measurement;
  let after: Measurement;

  beforeAll(
    async () => {
      const measured = await runCycles(shape, warmUp + cycles, isLong);
      before = measured[warmUp]!;
      after = measured.at(-1)!;
      const times = (pick: (one: Measurement) => number) => {
        const sorted = measured
          .slice(1)
          .map(pick)
          .sort((a, b) => a - b);
        return `${sorted[Math.floor(sorted.length / 2)]} ms`;
      };
      process.stderr.write(
        `${cycles} cycles of ${shape.platform} with ${shape.nodes} nodes: ${before.memory.toFixed(1)} MB -> ${after.memory.toFixed(1)} MB, median create ${times((one) => one.createMs)}, destroy ${times((one) => one.destroyMs)}\n`,
      );
    },
    longestMs(warmUp + cycles),
  );

  it('When the last is gone, it should leave no object', () => {
    const left = (one: Measurement) => one.keys.filter((key) => !key.includes('/events/'));
    expect(left(after)).toEqual(left(before));
    expect(after.keys.filter((key) => key.includes('cycle-'))).toEqual([]);
  });

  it('When the last is gone, it should leave no file', () => {
    const known = new Set(before.files);
    const ownFolders = /^nodes\/node-\d\/(logs|pods)$/;
    expect(after.files.filter((file) => !known.has(file) && !ownFolders.test(file))).toEqual([]);
  });

  it('When the last is gone, it should leave no socket, watch, process or instance', () => {
    for (const [thing, count] of Object.entries(after.counts))
      expect({ thing, more: Math.max(0, count - before.counts[thing]!) }).toEqual({ thing, more: 0 });
    expect(after.counts).toMatchObject({ apiServers: 1, etcdMembers: 0, etcdClusters: 0, instances: 0 });
  });

  it('When the last is gone, its memory should be given back', () => {
    expect(after.memory).toBeLessThan(before.memory * allowedGrowth);
  });
});
