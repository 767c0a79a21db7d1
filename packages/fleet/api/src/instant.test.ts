import { describe, expect, it } from 'vitest';
import { instantFromMs, parseInstant, wireTime } from './instant.ts';

describe('parseInstant', () => {
  it.each([
    ['2026-01-10T10:00:00Z', '2026-01-10T10:00:00.000000Z'],
    ['2026-01-10T10:00:00.000001Z', '2026-01-10T10:00:00.000001Z'],
    ['2026-01-10T10:00:00.123456789Z', '2026-01-10T10:00:00.123456Z'],
    ['2026-01-10T00:30:00.5+01:00', '2026-01-09T23:30:00.500000Z'],
  ])('When the text is %s, it should be %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    '',
    'now',
    '2026-02-30T00:00:00Z',
    '2026-01-10',
    '1736503200',
    '0000-01-01T00:00:00Z',
    '2026-01-10T25:00:00Z',
  ])('When the text is %s, it should be no time', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('wireTime', () => {
  it('When the fraction ends in zeros, it should leave them out', () => {
    expect(wireTime(instantFromMs(0))).toBe('1970-01-01T00:00:00Z');
    expect(wireTime('2026-01-10T10:00:00.000001Z')).toBe('2026-01-10T10:00:00.000001Z');
    expect(wireTime('2026-01-10T10:00:00.120000Z')).toBe('2026-01-10T10:00:00.12Z');
  });
});
