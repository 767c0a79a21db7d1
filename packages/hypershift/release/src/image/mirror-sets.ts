import { isJsonObject, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { ImageMirror } from './overrides.ts';

const listFields: Readonly<Record<string, string>> = {
  ImageContentSourcePolicy: 'repositoryDigestMirrors',
  ImageDigestMirrorSet: 'imageDigestMirrors',
  ImageTagMirrorSet: 'imageTagMirrors',
};

/**
 * Mirrors declared by ImageContentSourcePolicy, ImageDigestMirrorSet and ImageTagMirrorSet objects of the management
 * cluster. Entries of one source are joined in the order of the object names, as machine configuration joins them.
 */
export function mirrorsFrom(objects: readonly UnstructuredObject[]): readonly ImageMirror[] {
  const joined = new Map<string, { mirrors: Set<string>; never: boolean }>();
  const inOrder = objects.toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  for (const object of inOrder) {
    const spec = object['spec'];
    const entries = isJsonObject(spec) ? spec[listFields[object.kind] ?? ''] : undefined;
    if (Array.isArray(entries)) for (const entry of entries as unknown[]) add(joined, entry);
  }
  return [...joined].map(([source, { mirrors, never }]) => ({
    source,
    mirrors: [...mirrors],
    ...(never ? { neverContactSource: true } : {}),
  }));
}

/** `spec.imageContentSources` of a HostedCluster. */
export function mirrorsFromContentSources(
  sources: readonly { readonly source: string; readonly mirrors?: readonly string[] }[] | undefined,
): readonly ImageMirror[] {
  return (sources ?? []).map(({ source, mirrors }) => ({ source, mirrors: mirrors ?? [] }));
}

function add(joined: Map<string, { mirrors: Set<string>; never: boolean }>, entry: unknown): void {
  if (!isJsonObject(entry) || typeof entry['source'] !== 'string' || entry['source'] === '') return;
  const known = joined.get(entry['source']) ?? { mirrors: new Set<string>(), never: false };
  joined.set(entry['source'], known);
  const mirrors: unknown = entry['mirrors'];
  if (Array.isArray(mirrors))
    for (const one of mirrors) if (typeof one === 'string' && one !== '') known.mirrors.add(one);
  if (entry['mirrorSourcePolicy'] === 'NeverContactSource') known.never = true;
}
