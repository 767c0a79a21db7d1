import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { malformedRelease } from './image-references.ts';

export const releaseMetadataFile = 'release-manifests/release-metadata';

/** What a release says about its place among releases. */
export interface ReleaseMetadata {
  readonly version: string;
  /** Versions that may be upgraded to this one. */
  readonly previous: readonly string[];
  /** For example `url` and `release.openshift.io/architecture`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Reads `release-manifests/release-metadata`, a cincinnati-metadata-v0 document. */
export function parseReleaseMetadata(bytes: Uint8Array, image: string): ReleaseMetadata {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw malformedRelease(image, `${releaseMetadataFile} is not JSON`, cause);
  }
  if (!isJsonObject(document)) throw malformedRelease(image, `${releaseMetadataFile} is not a JSON object`);
  const { version, previous, metadata } = document;
  const texts = Array.isArray(previous) ? (previous as unknown[]).filter((one) => typeof one === 'string') : [];
  const pairs = Object.entries(isJsonObject(metadata) ? metadata : {});
  return {
    version: typeof version === 'string' ? version : '',
    previous: texts,
    metadata: Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
  };
}
