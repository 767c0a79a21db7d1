import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

function started(most: number, count: number) {
  const clock = new ManualClock();
  const turns = new Turns({ clock, most, patienceMs: 1000 });
  const running: number[] = [];
  const finish: (() => void)[] = [];
  const all = Array.from({ length: count }, (_, index) =>
    turns.take(() => {
      running.push(index);
      return new Promise<void>((resolve) => {
        finish[index] = resolve;
      });
    }),
  );
  return { clock, running, finish, all };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  it('When more want to work than may, the others should follow in order as turns end', async () => {
    const { running, finish, all } = started(2, 4);
    await soon();
    expect(running).toEqual([0, 1]);
    finish[1]?.();
    await soon();
    expect(running).toEqual([0, 1, 2]);
    finish[0]?.();
    await soon();
    expect(running).toEqual([0, 1, 2, 3]);
    for (const end of finish) end();
    await Promise.all(all);
  });

  it('When some never end, they should not keep the others waiting for ever', async () => {
    const { clock, running } = started(2, 4);
    await soon();
    clock.advance(1001);
    await soon();
    expect(running).toEqual([0, 1, 2, 3]);
  });
});
