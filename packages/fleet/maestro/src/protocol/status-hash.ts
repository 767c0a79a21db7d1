import { createHash } from 'node:crypto';
import type { ManifestWorkStatus } from '../work/manifest-work.ts';

/** The hash of a row that no status was ever reported for. */
export const hashOfNoStatus = createHash('sha256').update('').digest('hex');

/** The hash that agent and server compare to see whether a status arrived: SHA-256 of the status as Go would write it. */
export function statusHash({ conditions = [], resourceStatus }: ManifestWorkStatus): string {
  const manifests = (resourceStatus?.manifests ?? []).map((manifest) => ({ statusFeedback: {}, ...manifest }));
  return createHash('sha256')
    .update(goJson({ conditions, resourceStatus: { manifests } }))
    .digest('hex');
}

/** JSON with sorted keys, without spaces, and with the characters escaped that Go escapes for HTML. */
export function goJson(value: unknown): string {
  return sorted(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${sorted(field)}`).join(',')}}`;
}
