import { describe, expect, it } from 'vitest';
import { RecentCauses } from './recent-causes.ts';

describe('RecentCauses', () => {
  it('When the same is asked again, it should ask others only after a while', async () => {
    const causes = new RecentCauses(1000);
    let asked = 0;
    const ask = (question: string, now: number) => causes.of(question, now, async () => ++asked);
    expect([await ask('etcd', 0), await ask('etcd', 999), await ask('other', 999), await ask('etcd', 1000)]).toEqual([
      1, 1, 2, 3,
    ]);
  });
});
