import { describe, expect, it } from 'vitest';
import { goDurationText, parseGoDuration } from './duration.ts';

describe('parseGoDuration', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['45s', 45_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['100ms', 100],
    ['250us', 0.25],
    ['+2m', 120_000],
  ])('When it is %s, it should be %d ms', (text, ms) => expect(parseGoDuration(text)).toBe(ms));

  it.each([undefined, '', '10', 's', '1 h', '1h 5m', '5d', '-5m', 'x1s', `${'1'.repeat(70)}s`])(
    'When it is %s, it should be none',
    (text) => expect(parseGoDuration(text)).toBeUndefined(),
  );
});

describe('goDurationText', () => {
  it.each([
    [0, '0s'],
    [1, '1ms'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [5_400_000, '1h30m0s'],
  ])('When it is %d ms, it should be written as Go does: %s', (ms, text) => expect(goDurationText(ms)).toBe(text));
});
