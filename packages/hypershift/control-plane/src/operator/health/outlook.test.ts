import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { Outlook } from './outlook.ts';

/** A clock that stands still until told otherwise. */
function stopped(): Clock & { time: number } {
  return {
    time: 1_000_000,
    now() {
      return this.time;
    },
    after: () => () => {},
  } as Clock & { time: number };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Outlook', () => {
  it('When nobody has answered yet, it should not hold anybody up and tell when there is an answer', async () => {
    const outlook = new Outlook(stopped(), new AbortController().signal);
    let woken = 0;
    outlook.onChange = () => woken++;
    expect(outlook.look('health', 'a', '', async () => 'refused')).toEqual({ known: false });
    await turn();
    expect(woken).toBe(1);
    expect(outlook.look('health', 'a', '', async () => undefined)).toEqual({ known: true, failure: 'refused' });
  });

  it('When an answer was good, it should not ask again before a minute has passed', async () => {
    const clock = stopped();
    const outlook = new Outlook(clock, new AbortController().signal);
    let asked = 0;
    const ask = async () => void asked++ as undefined;
    outlook.look('health', 'a', '', ask);
    await turn();
    clock.time += 59_000;
    outlook.look('health', 'a', '', ask);
    expect([asked, outlook.nextLookMs()]).toEqual([1, 1000]);
    clock.time += 1000;
    outlook.look('health', 'a', '', ask);
    expect(asked).toBe(2);
  });

  it('When there is a reason, it should ask again at once and go on with the last answer', async () => {
    const outlook = new Outlook(stopped(), new AbortController().signal);
    outlook.look('health', 'a', 'one replica', async () => undefined);
    await turn();
    const sight = outlook.look('health', 'a', 'no replica', async () => 'refused');
    expect(sight).toEqual({ known: true, failure: undefined });
    await turn();
    expect(outlook.look('health', 'a', 'no replica', async () => undefined)).toMatchObject({ failure: 'refused' });
  });

  it('When the target is another one, it should forget what it knew', async () => {
    const outlook = new Outlook(stopped(), new AbortController().signal);
    outlook.look('health', 'a', '', async () => undefined);
    await turn();
    expect(outlook.look('health', 'b', '', async () => undefined)).toEqual({ known: false });
  });
});
