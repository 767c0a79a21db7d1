import type { ImageMirror, RegistryOverrides } from '../image/overrides.ts';
import type { PayloadArch, ReleaseImage } from '../release-image.ts';

export interface LookupOptions {
  /** The content of `.dockerconfigjson`. */
  readonly pullSecret?: Uint8Array | string;
  /** Applied to the release image and to its components. Leave out for what goes to the data plane. */
  readonly registryOverrides?: RegistryOverrides;
  /** Tried in order before the image's own registry. */
  readonly imageMirrors?: readonly ImageMirror[];
  readonly signal?: AbortSignal;
}

/** What an image says about itself. */
export interface ImageMetadata {
  readonly image: string;
  readonly readFrom: string;
  readonly digest: string;
  readonly pinnedImage: string;
  readonly architectures: readonly string[];
  readonly payloadArch: PayloadArch | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** Where releases come from. What it hands out is frozen and shared; the same question gives the same object. */
export interface ReleaseProvider {
  lookup(image: string, options?: LookupOptions): Promise<ReleaseImage>;
  /** Labels, digest and architectures of any image, for example a control-plane-operator's. */
  imageMetadata(image: string, options?: LookupOptions): Promise<ImageMetadata>;
  close(): Promise<void>;
}
