import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { causeText, ReleaseError } from '../errors.ts';
import { parseVersion } from '../version/version.ts';

export const imageReferencesFile = 'release-manifests/image-references';

export interface PayloadTag {
  readonly name: string;
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The ImageStream inside a release: its version and the image of each component. */
export interface ImageReferences {
  readonly version: string;
  readonly tags: readonly PayloadTag[];
}

export function malformedRelease(image: string, why: string, cause?: unknown): ReleaseError {
  return new ReleaseError('RELEASE_MALFORMED', {
    message: `${image} is not a usable release image: ${why}`,
    fix: 'use a release image (one that holds release-manifests/), not the image of a single component',
    field: 'spec.release.image',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Reads `release-manifests/image-references`. */
export function parseImageReferences(bytes: Uint8Array, image: string): ImageReferences {
  const bad = (why: string, cause?: unknown) => malformedRelease(image, `${imageReferencesFile} ${why}`, cause);
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw bad('is not JSON', cause);
  }
  if (!isJsonObject(document) || document['kind'] !== 'ImageStream') throw bad('is not an ImageStream');
  const { metadata, spec } = document;
  const version = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (typeof version !== 'string') throw bad('has no metadata.name, which is the version');
  try {
    parseVersion(version);
  } catch (cause) {
    throw bad(`names version ${JSON.stringify(version)}: ${causeText(cause)}`, cause);
  }
  const list: unknown = isJsonObject(spec) ? spec['tags'] : undefined;
  if (!Array.isArray(list) || list.length === 0) throw bad('has no spec.tags, which are its components');
  return { version, tags: list.map((tag: unknown) => payloadTag(tag, bad)) };
}

function payloadTag(tag: unknown, bad: (why: string) => ReleaseError): PayloadTag {
  const name = isJsonObject(tag) ? tag['name'] : undefined;
  const from = isJsonObject(tag) ? tag['from'] : undefined;
  const image = isJsonObject(from) ? from['name'] : undefined;
  if (typeof name !== 'string' || name === '') throw bad('has a tag without name');
  if (typeof image !== 'string' || image === '') throw bad(`has no image for tag ${JSON.stringify(name)}`);
  const annotations: Record<string, string> = {};
  const given = isJsonObject(tag) && isJsonObject(tag['annotations']) ? tag['annotations'] : {};
  for (const [key, value] of Object.entries(given))
    if (typeof value === 'string' && key.startsWith('io.openshift.build.version')) annotations[key] = value;
  return { name, image, annotations };
}
