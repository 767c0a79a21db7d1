import { EmbeddedCatalogue, isEmbeddedImage } from '../catalogue/catalogue.ts';
import { placesOf } from './places.ts';
import type { ReleaseImage } from '../release-image.ts';
import type { ImageMetadata, LookupOptions, ReleaseProvider } from './provider.ts';
import { type RegistryProviderOptions, RegistryReleaseProvider } from './registry-provider.ts';

export interface ReleaseProviderOptions {
  readonly catalogue?: EmbeddedCatalogue;
  /** How to reach registries; `false` keeps this process off the network. */
  readonly registry?: RegistryProviderOptions | ReleaseProvider | false;
}

/** Embedded releases by their name, everything else from registries: what operators use. */
export function createReleaseProvider(options: ReleaseProviderOptions = {}): ReleaseProvider {
  return new CombinedProvider(options);
}

class CombinedProvider implements ReleaseProvider {
  private readonly catalogue: EmbeddedCatalogue;
  private readonly registry: ReleaseProvider;

  constructor({ catalogue = new EmbeddedCatalogue(), registry = {} }: ReleaseProviderOptions) {
    this.catalogue = catalogue;
    this.registry =
      registry === false ? catalogue : isProvider(registry) ? registry : new RegistryReleaseProvider(registry);
  }

  lookup(image: string, options: LookupOptions = {}): Promise<ReleaseImage> {
    return this.providerOf(image, options).lookup(image, options);
  }

  imageMetadata(image: string, options: LookupOptions = {}): Promise<ImageMetadata> {
    return this.providerOf(image, options).imageMetadata(image, options);
  }

  close(): Promise<void> {
    return this.registry.close();
  }

  /** An override or mirror may lead into the catalogue, or out of it. */
  private providerOf(image: string, options: LookupOptions): ReleaseProvider {
    return placesOf(image, options).some(isEmbeddedImage) ? this.catalogue : this.registry;
  }
}

function isProvider(value: RegistryProviderOptions | ReleaseProvider): value is ReleaseProvider {
  return typeof (value as Partial<ReleaseProvider>).lookup === 'function';
}
