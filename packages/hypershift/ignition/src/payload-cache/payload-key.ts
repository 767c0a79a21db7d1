import { createHash } from 'node:crypto';
import type { PayloadInputs } from '../payload/payload-inputs.ts';

/**
 * The name of a payload: a digest of everything it is made of. The renderer's revision is left out on purpose, so that
 * a new build goes on serving the bytes that the first nodes of a rollout booted with.
 */
export function payloadKey(inputs: PayloadInputs): string {
  return createHash('sha256').update(stable(inputs)).digest('hex').slice(0, 40);
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stable(member)}`).join(',')}}`;
}
