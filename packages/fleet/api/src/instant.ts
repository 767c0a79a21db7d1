/**
 * A moment in UTC with microseconds, always written `2026-01-10T10:00:00.000001Z`: the precision PostgreSQL keeps.
 * Because the form is fixed, comparing the texts compares the moments.
 */
export type Instant = string;

// PostgreSQL knows no year 0.
const rfc3339 = /^(?!0000)(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

export function instantFromMs(ms: number): Instant {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

export function instantToMs(instant: Instant): number {
  return Date.parse(instant);
}

/** Reads RFC 3339 in any offset; undefined when the text is something else. Nanoseconds are cut off. */
export function parseInstant(text: string): Instant | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [, day, time, fraction = '', offset = 'Z'] = match;
  const ms = Date.parse(`${day}T${time}${offset.toUpperCase()}`);
  // Date.parse moves 30 February to March; only a time that survives the round trip was one.
  if (Number.isNaN(ms) || !Number.isFinite(ms)) return undefined;
  const sameDay = new Date(Date.parse(`${day}T${time}Z`)).toISOString().slice(0, 19);
  if (sameDay !== `${day}T${time}`) return undefined;
  return `${new Date(ms).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** As it is written on the wire: without trailing zeros, like Go does it. */
export function wireTime(instant: Instant): string {
  const [seconds, fraction] = instant.slice(0, -1).split('.') as [string, string];
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`;
}
