import { delay, systemClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { stayAlive } from './stay-alive.ts';

/** Timers that keep this process from ending. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('stayAlive', () => {
  it('When work only waits for a clock, it should keep the process alive until the work is done', async () => {
    const before = timers();
    const waiting = delay(systemClock, 5);
    expect(timers()).toBe(before);
    const work = stayAlive(() => waiting);
    expect(timers()).toBe(before + 1);
    await work;
    // Timers of others in this process may have ended meanwhile, too.
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('When work fails, it should let the process end', async () => {
    const before = timers();
    await expect(stayAlive(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
