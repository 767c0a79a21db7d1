import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it, vi } from 'vitest';
import { DelayHeap, sharedDelayHeap } from './delay-heap.ts';
import { RateLimiter } from './rate-limiter.ts';
import { WorkQueue } from './work-queue.ts';

function aQueue() {
  const clock = new ManualClock();
  const queue = new WorkQueue({ clock, random: () => 0 });
  const takeAll = () => {
    const keys: string[] = [];
    for (let item = queue.take(); item; item = queue.take()) keys.push(item.key);
    return keys;
  };
  return { clock, queue, takeAll };
}

describe('WorkQueue', () => {
  it('When a key is added several times, it should be handed out once', () => {
    const { queue, takeAll } = aQueue();
    for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
    expect(takeAll()).toEqual(['a', 'b']);
  });

  it('When a key is added while it is worked on, it should come again only after that work ended', () => {
    const { queue, takeAll } = aQueue();
    queue.add('a');
    queue.take();
    queue.add('a');
    queue.add('a');
    expect(takeAll()).toEqual([]);
    queue.done('a');
    expect(takeAll()).toEqual(['a']);
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  it('When a key may wait, it should come at its time at the latest, and once when it is worked on before', () => {
    const { clock, queue, takeAll } = aQueue();
    queue.addWithin('a', 100);
    queue.addWithin('b', 100);
    queue.addWithin('b', 50);
    queue.add('a');
    expect(takeAll()).toEqual(['a']);
    queue.done('a');
    clock.advance(50);
    expect(takeAll()).toEqual(['b']);
    queue.done('b');
    clock.advance(1000);
    expect(takeAll()).toEqual([]);
    expect(queue.pending).toBe(0);
  });

  it('When the process is behind its work, keys should gather for longer, and not when it keeps up again', () => {
    const { clock, queue, takeAll } = aQueue();
    const heap = sharedDelayHeap(clock);
    const passes = (count: number, lateMs: number) => {
      for (let i = 0; i < count; i++) {
        heap.after(10, () => {});
        const due = clock.now() + 10;
        // The clock moves on before its timers get their turn.
        vi.spyOn(clock, 'now').mockReturnValue(due + lateMs);
        clock.advance(10);
        vi.restoreAllMocks();
      }
    };
    passes(50, 200);
    queue.addWithin('a', 50);
    clock.advance(50);
    expect(takeAll()).toEqual([]);
    clock.advance(950);
    expect(takeAll()).toEqual(['a']);
    queue.done('a');
    passes(100, 0);
    queue.addWithin('a', 50);
    clock.advance(50);
    expect(takeAll()).toEqual(['a']);
  });

  it('When a key is added while it is worked on and may wait, it should still come', () => {
    const { clock, queue, takeAll } = aQueue();
    queue.add('a');
    queue.take();
    queue.addWithin('a', 100);
    queue.done('a');
    expect(takeAll()).toEqual([]);
    clock.advance(100);
    expect(takeAll()).toEqual(['a']);
  });

  it('When what is planned for a key is cancelled, it should not come, and may be planned again', () => {
    const { clock, queue, takeAll } = aQueue();
    queue.addAfter('a', 100);
    queue.cancelDelayed('a');
    expect(queue.pending).toBe(0);
    queue.addAfter('a', 200);
    clock.advance(100);
    expect(takeAll()).toEqual([]);
    clock.advance(100);
    expect(takeAll()).toEqual(['a']);
  });

  it('When keys differ in priority, it should hand out the higher ones first and raise a key asked for again', () => {
    const { queue, takeAll } = aQueue();
    queue.add('old-1', 'low');
    queue.add('old-2', 'low');
    queue.add('new', 'normal');
    queue.add('urgent', 'high');
    queue.add('old-2', 'normal');
    queue.add('new', 'low');
    expect(takeAll()).toEqual(['urgent', 'new', 'old-2', 'old-1']);
  });

  it('When there is always something urgent, it should still get to the rest', () => {
    const { queue } = aQueue();
    queue.add('patient', 'low');
    const taken: string[] = [];
    for (let i = 0; i < 32; i++) {
      queue.add(`urgent-${i}`, 'high');
      taken.push(queue.take()?.key ?? '');
    }
    expect(taken).toContain('patient');
  });

  it('When a key is added for later twice, it should come at the earlier time', () => {
    const { clock, queue, takeAll } = aQueue();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 5000);
    queue.addAfter('b', 5000);
    queue.addAfter('b', 1000);
    clock.advance(1000);
    expect(takeAll()).toEqual(['a', 'b']);
    clock.advance(10_000);
    expect(queue.pending).toBe(0);
  });

  it('When a key keeps failing, it should wait twice as long each time up to the limit, and start over when forgotten', () => {
    const { queue } = aQueue();
    const waits = Array.from({ length: 20 }, () => queue.addRateLimited('a'));
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.at(-1)).toBe(1_000_000);
    queue.forget('a');
    expect(queue.addRateLimited('a')).toBe(5);
  });

  it('When closed, it should drop everything and take nothing more', () => {
    const { clock, queue, takeAll } = aQueue();
    queue.add('a');
    queue.addAfter('b', 10);
    queue.close();
    queue.add('c');
    clock.advance(100);
    expect(takeAll()).toEqual([]);
  });
});

describe('RateLimiter', () => {
  it('When many keys fail together, it should spread them at ten a second after a burst of a hundred', () => {
    const limiter = new RateLimiter({}, new ManualClock(), () => 0);
    const waits = Array.from({ length: 120 }, (_, i) => limiter.nextDelay(`key-${i}`));
    expect(waits[99]).toBe(5);
    expect(waits[100]).toBeCloseTo(100);
    expect(waits[119]).toBeCloseTo(2000);
  });
});

describe('DelayHeap', () => {
  it('When thousands wait, it should use one timer and fire in order of time', () => {
    const clock = new ManualClock();
    let armed = 0;
    const counting = {
      now: () => clock.now(),
      after: (ms: number, callback: () => void) => {
        armed++;
        const cancel = clock.after(ms, () => {
          armed--;
          callback();
        });
        return () => {
          armed--;
          cancel();
        };
      },
    };
    const heap = new DelayHeap(counting);
    const fired: number[] = [];
    for (let i = 0; i < 2000; i++) {
      const ms = (i * 7919) % 2000;
      heap.after(ms, () => fired.push(ms));
    }
    expect(armed).toBe(1);
    clock.advance(2000);
    expect(fired).toHaveLength(2000);
    expect(fired).toEqual(fired.toSorted((a, b) => a - b));
    expect(armed).toBe(0);
  });

  it('When an entry is cancelled, it should not fire', () => {
    const clock = new ManualClock();
    const heap = sharedDelayHeap(clock);
    expect(sharedDelayHeap(clock)).toBe(heap);
    let fired = 0;
    heap.cancel(heap.after(10, () => fired++));
    clock.advance(20);
    expect(fired).toBe(0);
    expect(heap.size).toBe(0);
  });

  it('When nearly everything is cancelled, it should not pile up and still fire the rest in time', () => {
    const clock = new ManualClock();
    const heap = new DelayHeap(clock);
    const fired: number[] = [];
    for (let i = 0; i < 10_000; i++) {
      const entry = heap.after(60_000 - i, () => fired.push(i));
      if (i % 1000 !== 0) heap.cancel(entry);
    }
    expect(heap.size).toBeLessThan(200);
    clock.advance(60_000);
    expect(fired).toEqual([9000, 8000, 7000, 6000, 5000, 4000, 3000, 2000, 1000, 0]);
  });
});
