/** Durations as Go writes and reads them, which is how flags, annotations and metav1.Duration have them. */

const nanosOf = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const longest = 64;

/** Nanoseconds of `1h30m`, `-1.5s`, `0`; undefined when it is not a duration. */
export function parseGoNanoseconds(text: string | undefined): number | undefined {
  if (!text || text.length > longest) return undefined;
  const body = text.replace(/^[+-]/, '');
  if (body === '0') return 0;
  let nanos = 0;
  let length = 0;
  for (const [whole, amount, unit] of body.matchAll(part)) {
    nanos += Number(amount) * (nanosOf.get(unit ?? '') ?? 0);
    length += whole.length;
  }
  if (length === 0 || length !== body.length) return undefined;
  return text.startsWith('-') ? -Math.round(nanos) : Math.round(nanos);
}

/** Milliseconds of `1h30m`, `45s`, ...; undefined when it is not a duration, or a negative one. */
export function parseGoDuration(text: string | undefined): number | undefined {
  const nanos = parseGoNanoseconds(text);
  return nanos === undefined || nanos < 0 ? undefined : nanos / 1e6;
}

/** Nanoseconds as Go's time.Duration prints them: `1h0m0s`, `1.5s`, `2ms`. */
export function goNanosecondsText(nanos: number): string {
  if (nanos === 0) return '0s';
  const sign = nanos < 0 ? '-' : '';
  const size = Math.abs(nanos);
  if (size < 1e3) return `${sign}${size}ns`;
  if (size < 1e6) return `${sign}${size / 1e3}µs`;
  if (size < 1e9) return `${sign}${size / 1e6}ms`;
  const hours = Math.floor(size / 3600e9);
  const minutes = Math.floor((size % 3600e9) / 60e9);
  const seconds = (size % 60e9) / 1e9;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

/** Milliseconds in the same words. */
export function goDurationText(ms: number): string {
  return goNanosecondsText(Math.round(ms * 1e6));
}
