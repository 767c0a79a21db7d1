import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../json.ts';
import type { Condition } from '../object.ts';
import {
  findCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
  setConditions,
} from './index.ts';

const then = '2026-01-01T00:00:00Z';
const now = '2026-01-01T01:00:00Z';
const ready: Condition = { type: 'Ready', status: 'True', reason: 'AsExpected', message: '', lastTransitionTime: then };
const list = deepFreeze([ready, { ...ready, type: 'Degraded', status: 'False' } satisfies Condition]);

describe('setCondition', () => {
  it('When it is already so, it should return the same list', () => {
    const { lastTransitionTime: _, ...wanted } = ready;
    expect(setCondition(list, wanted, now)).toBe(list);
    expect(setCondition(list, { ...wanted, lastTransitionTime: now }, now)).toBe(list);
  });

  it('When only the message changes, it should keep the transition time', () => {
    expect(setCondition(list, { ...ready, message: 'x' }, now)[0]).toEqual({ ...ready, message: 'x' });
  });

  it('When the status changes, it should move the transition time', () => {
    const { lastTransitionTime: _, ...wanted } = ready;
    const next = setCondition(list, { ...wanted, status: 'False' }, now);
    expect(next[0]).toEqual({ ...ready, status: 'False', lastTransitionTime: now });
    expect(next[1]).toBe(list[1]);
  });

  it('When it is new, it should be appended with a transition time', () => {
    expect(setCondition(undefined, { type: 'Ready', status: 'Unknown' }, now)).toEqual([
      { type: 'Ready', status: 'Unknown', lastTransitionTime: now },
    ]);
  });

  it('When the observed generation changes, it should be a change', () => {
    expect(setCondition(list, { ...ready, observedGeneration: 2 }, now)[0]?.observedGeneration).toBe(2);
  });

  it('When several are set to what they are, it should return the same list', () => {
    expect(setConditions(list, list, now)).toBe(list);
  });
});

describe('reading and removing', () => {
  it('When asked, it should find by type and judge the status', () => {
    expect(findCondition(list, 'Degraded')).toBe(list[1]);
    expect(isConditionTrue(list, 'Ready')).toBe(true);
    expect(isConditionFalse(list, 'Ready')).toBe(false);
    expect(isConditionTrue(undefined, 'Ready')).toBe(false);
  });

  it('When nothing is there to remove, it should return the same list', () => {
    expect(removeCondition(list, 'Nope')).toBe(list);
    expect(removeCondition(list, 'Ready')).toEqual([list[1]]);
  });
});
