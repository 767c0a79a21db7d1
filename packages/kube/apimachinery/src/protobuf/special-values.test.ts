import { describe, expect, it } from 'vitest';
import { durationText, parseDuration } from './duration.ts';
import { parseTime, timeText } from './special-values.ts';

describe('durations', () => {
  it.each([
    [0, '0s'],
    [1, '1ns'],
    [1500, '1.5µs'],
    [2_000_000, '2ms'],
    [1_500_000_000, '1.5s'],
    [90_000_000_000, '1m30s'],
    [3_600_000_000_000, '1h0m0s'],
    [-30_000_000_000, '-30s'],
  ])('When %d nanoseconds are printed, it should read %s and parse back', (nanos, text) => {
    expect(durationText(nanos)).toBe(text);
    expect(parseDuration(text)).toBe(nanos);
  });

  it.each(['', '1', 'h', '1h x', '1d'])('When the text is "%s", it should be refused', (text) => {
    expect(() => parseDuration(text)).toThrow(/no duration/);
  });
});

describe('times', () => {
  it('When a time has fractions, it should keep micro seconds only where the type does', () => {
    expect(timeText({ seconds: 1, nanos: 5_999 }, 'time')).toBe('1970-01-01T00:00:01Z');
    expect(timeText({ seconds: 1, nanos: 5_999 }, 'microTime')).toBe('1970-01-01T00:00:01.000005Z');
    expect(parseTime('1970-01-01T01:00:01.5+01:00', 'microTime')).toEqual({ seconds: 1, nanos: 500_000_000 });
  });

  it('When a time is beyond year 9999 or no time, it should be refused', () => {
    expect(() => timeText({ seconds: 1e15, nanos: 0 }, 'time')).toThrow(/out of range/);
    expect(() => parseTime('yesterday', 'time')).toThrow(/RFC 3339/);
  });
});
