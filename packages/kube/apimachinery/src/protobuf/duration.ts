import { ProtobufError } from './reader.ts';

const unitNanos: { readonly [unit: string]: number } = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** Nanoseconds as Go's time.Duration prints them: `1h0m0s`, `1.5s`, `2ms`. */
export function durationText(nanos: number): string {
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

export function parseDuration(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const body = text.replace(/^[+-]/, '');
  if (body === '0') return 0;
  let nanos = 0;
  let length = 0;
  for (const [part, amount, unit] of body.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)) {
    nanos += Number(amount) * (unitNanos[unit ?? ''] ?? 0);
    length += part.length;
  }
  if (length === 0 || length !== body.length) throw new ProtobufError(`"${text.slice(0, 64)}" is no duration`);
  return sign * Math.round(nanos);
}
