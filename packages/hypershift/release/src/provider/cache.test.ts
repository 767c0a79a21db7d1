import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { SharedCache } from './cache.ts';

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe('SharedCache', () => {
  it('When many ask at once, it should load once', async () => {
    const cache = new SharedCache<string>({ clock: new ManualClock(), maxEntries: 2 });
    let loads = 0;
    const load = async () => `value ${++loads}`;
    expect(await Promise.all([cache.get('a', load), cache.get('a', load), cache.get('a', load)])).toEqual(
      Array(3).fill('value 1'),
    );
    expect(await cache.get('a', load)).toBe('value 1');
  });

  it('When full, it should drop what was used longest ago', async () => {
    const cache = new SharedCache<string>({ clock: new ManualClock(), maxEntries: 2 });
    cache.set('a', '1');
    cache.set('b', '2');
    cache.peek('a');
    cache.set('c', '3');
    expect([cache.peek('a'), cache.peek('b'), cache.peek('c'), cache.size]).toEqual(['1', undefined, '3', 2]);
  });

  it('When time passes, it should load again', async () => {
    const clock = new ManualClock();
    const cache = new SharedCache<number>({ clock, maxEntries: 2, ttlMs: 1000 });
    let loads = 0;
    const load = async () => ++loads;
    await cache.get('a', load);
    clock.advance(999);
    expect(await cache.get('a', load)).toBe(1);
    clock.advance(1);
    expect(await cache.get('a', load)).toBe(2);
  });

  it('When loading fails, everybody waiting should hear it and the next should try anew', async () => {
    const cache = new SharedCache<string>({ clock: new ManualClock(), maxEntries: 2 });
    const flight = deferred<string>();
    const waiting = [cache.get('a', () => flight.promise), cache.get('a', () => flight.promise)];
    flight.reject(new Error('broken'));
    for (const one of waiting) await expect(one).rejects.toThrow('broken');
    expect(await cache.get('a', async () => 'fine')).toBe('fine');
  });

  it('When one caller leaves, the others should go on; when the last leaves, the load should be aborted', async () => {
    const cache = new SharedCache<string>({ clock: new ManualClock(), maxEntries: 2 });
    const flight = deferred<string>();
    let inner: AbortSignal | undefined;
    const load = (signal: AbortSignal) => {
      inner = signal;
      return flight.promise;
    };
    const [first, second] = [new AbortController(), new AbortController()];
    const one = cache.get('a', load, first.signal);
    const two = cache.get('a', load, second.signal);
    first.abort(new Error('first left'));
    await expect(one).rejects.toThrow('first left');
    expect(inner?.aborted).toBe(false);
    second.abort(new Error('second left'));
    await expect(two).rejects.toThrow('second left');
    expect(inner?.aborted).toBe(true);
    flight.reject(new Error('aborted'));
    await expect(cache.get('a', load, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });
});
