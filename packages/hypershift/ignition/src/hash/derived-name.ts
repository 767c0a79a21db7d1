import { hashSimple } from './hash-simple.ts';

/**
 * `base-suffix`, shortened to `max` characters when need be; a hash of what was cut keeps names apart. The same names as
 * upstream, so that objects of a cluster that is taken over are found.
 */
export function derivedName(base: string, suffix: string, max: number): string {
  const whole = `${base}-${suffix}`;
  if (whole.length <= max) return whole;
  const room = max - 10 - suffix.length;
  if (room < 1) return `${base.slice(0, Math.max(0, max - 9))}-${hashSimple(whole)}`.slice(0, max);
  return `${base.slice(0, room)}-${hashSimple(base)}-${suffix}`;
}

/** The name of a pool's machine template: another spec is another template. `specJson` is the JSON that Go would write. */
export function machineTemplateName(pool: string, specJson: string): string {
  return derivedName(pool, hashSimple(Buffer.from(specJson, 'utf8')), 253);
}
