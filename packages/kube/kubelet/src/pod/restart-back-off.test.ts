import { describe, expect, it } from 'vitest';
import { backOffRemaining, formatDuration, nextBackOff, type RestartBackOff } from './restart-back-off.ts';

describe('restart back-off', () => {
  it('When a container fails at once again and again, it should wait 0, 10, 20, 40... and at most 300 seconds', () => {
    let entry: RestartBackOff | undefined;
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const wait = backOffRemaining(entry, now, now);
      waits.push(wait / 1000);
      const finished = now;
      now += wait;
      entry = nextBackOff(entry, finished, now);
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });

  it('When a container ran well for more than ten minutes, it should start again at once', () => {
    const entry = { delayMs: 300_000, updatedMs: 0 };
    expect(backOffRemaining(entry, 600_001, 600_001)).toBe(0);
    expect(nextBackOff(entry, 600_001, 600_001).delayMs).toBe(10_000);
  });

  it.each([
    [10_000, '10s'],
    [80_000, '1m20s'],
    [300_000, '5m0s'],
    [3_661_000, '1h1m1s'],
  ])('When %d ms are written, it should be %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
