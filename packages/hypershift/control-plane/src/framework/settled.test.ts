import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Lookup } from './context.ts';
import { fixedLookup } from './lookup.ts';
import { Settled } from './settled.ts';

const aMap = (value: string): corev1.ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  data: { value },
});
const first = aMap('1');

async function runs(settled: Settled, lookup: Lookup, inputs = '', now = 0, until?: number): Promise<boolean> {
  const work = async (see: Lookup) => {
    see.get(corev1.configmaps, 'a');
    return { result: undefined, ...(until === undefined ? {} : { until }) };
  };
  return (await settled.once('x', { inputs, lookup, now }, work)).ran;
}

describe('Settled', () => {
  it.each([
    ['nothing changed', fixedLookup([first]), '', 0, false],
    ['an object it looked at changed', fixedLookup([aMap('1')]), '', 0, true],
    ['an object it looked at is gone', fixedLookup([]), '', 0, true],
    ['the inputs changed', fixedLookup([first]), 'other', 0, true],
    ['its time has come', fixedLookup([first]), '', 100, true],
    ['only something else appeared', fixedLookup([first, { ...first, metadata: { name: 'b' } }]), '', 0, false],
  ])('When %s, it should run again or not', async (_, lookup, inputs, now, expected) => {
    const settled = new Settled();
    expect(await runs(settled, fixedLookup([first]), '', 0, 100)).toBe(true);
    expect(await runs(settled, lookup, inputs, now, 100)).toBe(expected);
  });

  it('When changes are counted, it should look at objects only after one, and see it', async () => {
    const settled = new Settled();
    const seen: string[] = [];
    let [count, now] = [0, first];
    const lookup: Lookup = {
      changes: () => count,
      get: (type, name) => {
        seen.push(name);
        return fixedLookup([now]).get(type, name);
      },
      list: () => [],
    };
    expect(await runs(settled, lookup)).toBe(true);
    expect(await runs(settled, lookup)).toBe(false);
    expect(seen).toEqual(['a']);
    count++;
    expect(await runs(settled, lookup)).toBe(false);
    expect(await runs(settled, lookup)).toBe(false);
    expect(seen).toEqual(['a', 'a']);
    [count, now] = [count + 1, aMap('2')];
    expect(await runs(settled, lookup)).toBe(true);
  });

  it('When the work failed, it should run again', async () => {
    const settled = new Settled();
    const given = { inputs: '', lookup: fixedLookup([]), now: 0 };
    const fails = () => settled.once('x', given, () => Promise.reject(new Error('no')));
    await expect(fails()).rejects.toThrow('no');
    await expect(fails()).rejects.toThrow('no');
  });

  it('When it said how it left what it changed, it should run again only if somebody changes that', async () => {
    const settled = new Settled();
    const written = { ...aMap('2'), metadata: { name: 'a', uid: 'u', resourceVersion: '7' } };
    const runsWith = async (...objects: corev1.ConfigMap[]) => {
      const given = { inputs: '', lookup: fixedLookup(objects), now: 0 };
      const { ran } = await settled.once('x', given, async (own) => {
        own.peek(corev1.configmaps, 'a');
        own.left(corev1.configmaps, 'a', written);
        return { result: undefined };
      });
      return ran;
    };
    expect(await runsWith()).toBe(true);
    expect(await runsWith({ ...written })).toBe(false);
    expect(await runsWith({ ...written, metadata: { ...written.metadata, resourceVersion: '8' } })).toBe(true);
  });
});
