import { describe, expect, it } from 'vitest';
import { reconnectDelays } from './reconnect-delays.ts';

describe('reconnectDelays', () => {
  it('When attempts keep failing, it should wait half as long again each time, up to the cap', () => {
    const delays = reconnectDelays({ firstMs: 5_000, capMs: 30_000, random: () => 0 });
    const waits = Array.from({ length: 7 }, () => delays.afterFailure());
    expect(waits).toEqual([5_000, 7_500, 11_250, 16_875, 25_312.5, 30_000, 30_000]);
  });

  it('When an attempt succeeded, it should begin again, with up to a tenth of jitter', () => {
    const delays = reconnectDelays({ firstMs: 1_000, capMs: 10_000, random: () => 0.5 });
    delays.afterFailure();
    delays.afterFailure();
    expect(delays.afterSuccess()).toBe(1_050);
    expect(delays.afterFailure()).toBe(1_050);
  });
});
