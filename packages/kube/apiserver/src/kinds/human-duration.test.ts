import { describe, expect, it } from 'vitest';
import { humanDuration, since } from './human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('humanDuration', () => {
  it.each([
    [-5 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [9 * minute + 59 * second, '9m59s'],
    [10 * minute + 59 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 5 * minute, '7h5m'],
    [8 * hour + 5 * minute, '8h'],
    [47 * hour, '47h'],
    [48 * hour, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 5 * hour, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [731 * day, '2y1d'],
    [9 * 365 * day, '9y'],
  ])('When a duration is %i ms, it should read %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it('When there is no time stamp, it should say so', () => {
    expect(since(undefined, 0)).toBe('<unknown>');
    expect(since('not a time', 0)).toBe('<unknown>');
  });
});
