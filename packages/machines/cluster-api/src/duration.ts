const unitMs: { readonly [unit: string]: number } = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of a Go duration (`8m0s`); undefined when there is none or it cannot be read. */
export function durationMs(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 64) return undefined;
  if (text === '0') return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const body = text.replace(/^[+-]/, '');
  let ms = 0;
  let length = 0;
  for (const [part, amount, unit] of body.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/g)) {
    ms += Number(amount) * (unitMs[unit ?? ''] ?? 0);
    length += part.length;
  }
  return length === 0 || length !== body.length ? undefined : sign * ms;
}

/** As Go prints it: `20m0s`, `1h0m0s`, `1.5s`. */
export function durationText(ms: number): string {
  if (ms === 0) return '0s';
  if (Math.abs(ms) < 1000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
