import { describe, expect, it } from 'vitest';
import { checkTimeZone, zoneOffsetMs } from './time-zone.ts';

const hour = 3_600_000;

describe('zoneOffsetMs', () => {
  it.each<[string, string, number]>([
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Europe/Berlin', '2026-01-01T00:00:00Z', hour],
    ['Europe/Berlin', '2026-07-01T00:00:00.999Z', 2 * hour],
    ['America/New_York', '2026-01-01T00:00:00Z', -5 * hour],
    ['Asia/Kolkata', '2026-01-01T20:00:00Z', 5.5 * hour],
    ['Etc/GMT-1', '0050-06-01T00:00:00Z', hour],
  ])('When clocks in %s are read at %s, it should be %d ms ahead of UTC', (zone, at, offset) => {
    expect(zoneOffsetMs(zone, Date.parse(at))).toBe(offset);
  });

  it('When nobody knows the zone, it should be refused', () => {
    expect(() => checkTimeZone('Mars/Olympus')).toThrow(RangeError);
  });
});
