/** Durations as Go writes and reads them. */

const unitsMs = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ns', 1e-6],
]);

/** Milliseconds of `1h30m`, `45s`, ...; undefined when it is not a duration. */
export function parseGoDuration(text: string | undefined): number | undefined {
  if (!text || text.length > 64) return undefined;
  if (text === '0') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.map(([whole]) => whole).join('') !== text) return undefined;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitsMs.get(unit ?? '') ?? 0), 0);
}

/** `1h30m0s`, as Go prints a duration of whole seconds. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** How long ago something was, to the minute once it is longer than one: a message must not change every second. */
export function ageText(since: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - new Date(since).getTime()) / 1000));
  if (seconds < 60) return 'less than a minute';
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}
