import { ReleaseError } from '../errors.ts';

/** Source prefix to replacement prefix, as `--registry-overrides` gives them. */
export type RegistryOverrides = Readonly<Record<string, string>>;

/**
 * Whether a source names an image: the same text, or a whole prefix of it. A bare host does not match the same host on
 * another port, and `quay.io` never matches `quay.io.example.com`.
 */
export function matchesPrefix(image: string, source: string): boolean {
  if (source === '' || !image.startsWith(source)) return false;
  const next = image[source.length];
  return next === undefined || next === '/' || next === '@' || (next === ':' && source.includes('/'));
}

/** The image with the longest matching override applied; unchanged when none matches. */
export function applyRegistryOverrides(image: string, overrides: RegistryOverrides | undefined): string {
  let best = '';
  for (const source in overrides) if (source.length > best.length && matchesPrefix(image, source)) best = source;
  return best === '' ? image : `${overrides?.[best]}${image.slice(best.length)}`;
}

/** `a=b,c=d` as flags and annotations carry overrides; later pairs win. */
export function parseKeyValues(text: string, what: string): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (const [key, value] of splitPairs(text, what)) pairs.push([key, value]);
  return Object.fromEntries(pairs);
}

function* splitPairs(text: string, what: string): Generator<[string, string]> {
  for (const pair of text.split(',')) {
    const trimmed = pair.trim();
    if (trimmed === '') continue;
    const equals = trimmed.indexOf('=');
    if (equals <= 0 || equals === trimmed.length - 1)
      throw new ReleaseError('RELEASE_OVERRIDE_INVALID', {
        message: `${what} holds ${JSON.stringify(trimmed)}, which is not key=value`,
        fix: `write ${what} as key=value,key=value`,
      });
    yield [trimmed.slice(0, equals), trimmed.slice(equals + 1)];
  }
}

/** Reads `--registry-overrides src=dst,src=dst`. */
export function parseRegistryOverrides(text: string): RegistryOverrides {
  return parseKeyValues(text, 'registry overrides');
}

/** Reads `--image-overrides` and annotation image-overrides: component name to image. */
export function parseImageOverrides(text: string): Readonly<Record<string, string>> {
  return parseKeyValues(text, 'image overrides');
}

/** Reads `OPENSHIFT_IMG_OVERRIDES`: `source=mirror` pairs, a source as often as it has mirrors, in order. */
export function parseMirrorOverrides(text: string): readonly ImageMirror[] {
  const mirrors = new Map<string, string[]>();
  for (const [source, mirror] of splitPairs(text, 'OPENSHIFT_IMG_OVERRIDES')) {
    const known = mirrors.get(source);
    if (known) known.push(mirror);
    else mirrors.set(source, [mirror]);
  }
  return [...mirrors].map(([source, list]) => ({ source, mirrors: list }));
}

export function formatMirrorOverrides(mirrors: readonly ImageMirror[]): string {
  return mirrors.flatMap(({ source, mirrors: list }) => list.map((mirror) => `${source}=${mirror}`)).join(',');
}

/** One source and where else its images are found, in the order to try. */
export interface ImageMirror {
  /** Host, host and path, or `*.host` for any host below it. */
  readonly source: string;
  readonly mirrors: readonly string[];
  /** Whether the source itself may be asked when no mirror answers. Default: it may. */
  readonly neverContactSource?: boolean;
}

/** The places to read an image from, in order: its mirrors, then itself unless forbidden. */
export function candidatesFor(image: string, mirrors: readonly ImageMirror[] | undefined): readonly string[] {
  let best: { mirror: ImageMirror; matched: string } | undefined;
  for (const mirror of mirrors ?? []) {
    const matched = matchedPrefix(image, mirror.source);
    if (matched !== undefined && matched.length > (best?.matched.length ?? 0)) best = { mirror, matched };
  }
  if (!best) return [image];
  const { mirror, matched } = best;
  const moved = mirror.mirrors.filter((one) => one !== '').map((one) => `${one}${image.slice(matched.length)}`);
  return [...new Set(mirror.neverContactSource ? moved : [...moved, image])];
}

function matchedPrefix(image: string, source: string): string | undefined {
  if (!source.startsWith('*.')) return matchesPrefix(image, source) ? source : undefined;
  const slash = image.indexOf('/');
  if (slash < 0 || source.includes('/')) return undefined;
  const host = image.slice(0, slash);
  return host.endsWith(source.slice(1)) ? host : undefined;
}
