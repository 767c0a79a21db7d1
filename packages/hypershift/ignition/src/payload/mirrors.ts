import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { ConfigKindError, goText, objectAt } from './document-fields.ts';

/** Where else the images of a repository can be had. */
export interface MirroredSource {
  readonly source: string;
  readonly mirrors: readonly string[];
  readonly neverContactSource: boolean;
}

/** The mirrors of ImageDigestMirrorSets and ImageContentSourcePolicies, one entry per source, in order of source. */
export function mirroredSources(documents: readonly JsonObject[]): MirroredSource[] {
  const bySource = new Map<string, { mirrors: string[]; never: boolean }>();
  for (const document of documents) {
    const spec = objectAt(document, 'spec');
    const field = document['kind'] === 'ImageContentSourcePolicy' ? 'repositoryDigestMirrors' : 'imageDigestMirrors';
    const entries = Array.isArray(spec[field]) ? spec[field] : [];
    for (const entry of entries as readonly unknown[]) if (isJsonObject(entry)) add(entry, document, bySource);
  }
  return [...bySource.keys()].sort().map((source) => {
    const { mirrors = [], never = false } = bySource.get(source) ?? {};
    return { source, mirrors, neverContactSource: never };
  });
}

function add(entry: JsonObject, document: JsonObject, bySource: Map<string, { mirrors: string[]; never: boolean }>) {
  const name = `${goText(document['kind'])} ${goText(objectAt(document, 'metadata')['name'])}`;
  const source = entry['source'];
  if (typeof source !== 'string' || !isSource(source))
    throw new ConfigKindError(`${name}: invalid source "${goText(source)}", expected host[:port][/path] or *.domain`);
  const mirrors = Array.isArray(entry['mirrors']) ? (entry['mirrors'] as readonly unknown[]) : [];
  const known = bySource.get(source) ?? { mirrors: [], never: false };
  for (const mirror of mirrors) {
    if (typeof mirror !== 'string' || !isRepository(mirror))
      throw new ConfigKindError(
        `${name}: invalid mirror "${String(mirror)}" of ${source}, expected host[:port][/path]`,
      );
    if (!known.mirrors.includes(mirror)) known.mirrors.push(mirror);
  }
  if (entry['mirrorSourcePolicy'] === 'NeverContactSource') known.never = true;
  bySource.set(source, known);
}

const label = /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const isDomain = (text: string): boolean => text.split('.').every((part) => label.test(part));
const isSource = (text: string): boolean => (text.startsWith('*.') ? isDomain(text.slice(2)) : isRepository(text));

/** `host[:port]/path`; checked piece by piece, because one expression for it all can be made to run for ever. */
function isRepository(text: string): boolean {
  const [authority = '', ...path] = text.split('/');
  const [host = '', port, ...more] = authority.split(':');
  if (more.length > 0 || !isDomain(host) || (port !== undefined && !/^\d{1,5}$/.test(port))) return false;
  return path.every((part) => /^[a-z0-9]/.test(part) && /[a-z0-9]$/.test(part) && /^[a-z0-9._-]+$/.test(part));
}
