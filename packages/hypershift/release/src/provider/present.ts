import { applyRegistryOverrides, type RegistryOverrides } from '../image/overrides.ts';
import { parseReference, withDigest } from '../image/reference.ts';
import type { BootImages } from '../payload/boot-image-stream.ts';
import type { ReleaseMetadata } from '../payload/release-metadata.ts';
import { payloadArchOf, type ReleaseImage } from '../release-image.ts';

/** A release as it lies in its image, before anybody's overrides. */
export interface ReleasePayload {
  readonly version: string;
  readonly components: ReadonlyMap<string, string>;
  readonly componentVersions: ReadonlyMap<string, string>;
  readonly bootImages: BootImages;
  readonly metadata: ReleaseMetadata | undefined;
}

export interface Origin {
  readonly image: string;
  readonly readFrom: string;
  readonly digest: string;
  readonly architectures: readonly string[];
  readonly source: ReleaseImage['source'];
}

/** The payload as one caller sees it: by the name asked for, with overrides applied. */
export function presentRelease(
  payload: ReleasePayload,
  origin: Origin,
  overrides: RegistryOverrides | undefined,
): ReleaseImage {
  const overridden = Object.keys(overrides ?? {}).length > 0;
  const components = overridden
    ? new Map([...payload.components].map(([name, image]) => [name, applyRegistryOverrides(image, overrides)]))
    : payload.components;
  return Object.freeze({
    ...origin,
    pinnedImage: withDigest(parseReference(origin.image), origin.digest),
    version: payload.version,
    components,
    canonicalComponents: payload.components,
    componentVersions: payload.componentVersions,
    payloadArch: payloadArchOf(origin.architectures),
    // Made on demand where they are embedded; most control planes never ask.
    get bootImages() {
      return payload.bootImages;
    },
    metadata: payload.metadata,
  });
}
