import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { ReleaseError } from '../errors.ts';
import type { RegistryOverrides } from '../image/overrides.ts';
import { PullSecret } from '../image/pull-secret.ts';
import { parseReference, withDigest } from '../image/reference.ts';
import { bootImagesFile, parseBootImages } from '../payload/boot-image-stream.ts';
import { componentVersions } from '../payload/component-versions.ts';
import { imageReferencesFile, malformedRelease, parseImageReferences } from '../payload/image-references.ts';
import { parseReleaseMetadata, releaseMetadataFile } from '../payload/release-metadata.ts';
import { defaultLimits } from '../registry/limits.ts';
import type { ImageConfig } from '../registry/manifest.ts';
import { RegistryClient, type RegistryClientOptions, type ResolvedImage } from '../registry/registry-client.ts';
import { payloadArchOf, type ReleaseImage } from '../release-image.ts';
import { SharedCache } from './cache.ts';
import { placesOf } from './places.ts';
import { presentRelease, type ReleasePayload } from './present.ts';
import type { ImageMetadata, LookupOptions, ReleaseProvider } from './provider.ts';

export interface RegistryProviderOptions extends RegistryClientOptions {
  /** How long a tag is believed to mean the same, and a pull secret to be good. */
  readonly resolutionTtlMs?: number;
  /** How long a mirror that failed is passed over. */
  readonly mirrorRestMs?: number;
  /** Releases kept, by content. */
  readonly maxReleases?: number;
}

interface Found {
  readonly resolved: ResolvedImage;
  readonly readFrom: string;
  readonly secret: PullSecret;
}

const minute = 60_000;
const manyKeys = 4096;

/**
 * Releases from registries. Resolving a reference is cached per pull secret, so that nobody reads through another's
 * rights; what a digest holds is cached once for all.
 */
export class RegistryReleaseProvider implements ReleaseProvider {
  private readonly client: RegistryClient;
  private readonly mirrorMs: number;
  private readonly secrets: SharedCache<PullSecret>;
  private readonly resolutions: SharedCache<ResolvedImage>;
  private readonly resting: SharedCache<ReleaseError>;
  private readonly payloads: SharedCache<ReleasePayload>;
  private readonly configs: SharedCache<ImageConfig>;
  private readonly releases: SharedCache<ReleaseImage>;
  private readonly overrideKeys = new WeakMap<RegistryOverrides, string>();

  constructor(options: RegistryProviderOptions = {}) {
    const clock: Clock = options.clock ?? systemClock;
    const maxReleases = options.maxReleases ?? 64;
    this.client = new RegistryClient(options);
    this.mirrorMs = options.limits?.mirrorMs ?? defaultLimits.mirrorMs;
    this.secrets = new SharedCache({ clock, maxEntries: manyKeys });
    this.resolutions = new SharedCache({ clock, maxEntries: manyKeys, ttlMs: options.resolutionTtlMs ?? 30 * minute });
    this.resting = new SharedCache({ clock, maxEntries: 256, ttlMs: options.mirrorRestMs ?? minute });
    this.payloads = new SharedCache({ clock, maxEntries: maxReleases });
    this.configs = new SharedCache({ clock, maxEntries: 1024 });
    this.releases = new SharedCache({ clock, maxEntries: maxReleases * 4 });
  }

  async lookup(image: string, options: LookupOptions = {}): Promise<ReleaseImage> {
    const found = await this.find(image, options);
    const { resolved, readFrom } = found;
    const key = [image, readFrom, resolved.digest, this.overridesKey(options.registryOverrides)].join('\n');
    return this.releases.get(
      key,
      async (signal) => {
        const payload = await this.payload(found, signal);
        const architectures = await this.architectures(found, signal);
        const origin = { image, readFrom, digest: resolved.digest, architectures, source: 'registry' as const };
        return presentRelease(payload, origin, options.registryOverrides);
      },
      options.signal,
    );
  }

  async imageMetadata(image: string, options: LookupOptions = {}): Promise<ImageMetadata> {
    const found = await this.find(image, options);
    const { labels } = await this.config(found, options.signal);
    const architectures = await this.architectures(found, options.signal);
    const { digest } = found.resolved;
    return Object.freeze({
      image,
      readFrom: found.readFrom,
      digest,
      pinnedImage: withDigest(parseReference(image), digest),
      architectures,
      payloadArch: payloadArchOf(architectures),
      labels,
    });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Tries mirrors and then the image's own registry; the error of the last place wins, with the others named. */
  private async find(image: string, options: LookupOptions): Promise<Found> {
    parseReference(image);
    const [secretKey, secret] = await this.secret(options.pullSecret);
    const places = placesOf(image, options);
    const failures: string[] = [];
    for (const [index, place] of places.entries()) {
      const isLast = index === places.length - 1;
      const key = `${place}\n${secretKey}`;
      try {
        const rested = isLast ? undefined : this.resting.peek(key);
        if (rested) throw rested;
        const timeoutMs = isLast ? {} : { timeoutMs: this.mirrorMs };
        const load = (signal: AbortSignal) => this.client.resolve(place, { pullSecret: secret, signal, ...timeoutMs });
        return { resolved: await this.resolutions.get(key, load, options.signal), readFrom: place, secret };
      } catch (error) {
        if (!(error instanceof ReleaseError)) throw error;
        if (isLast) throw failures.length === 0 ? error : withMirrors(error, failures);
        if (!this.resting.peek(key)) this.resting.set(key, error);
        failures.push(`${place}: ${error.message}`);
      }
    }
    throw new ReleaseError('REGISTRY_NOT_FOUND', {
      message: `image ${image} has no place to be read from: its mirror set names no mirror and forbids the source`,
      fix: 'add a mirror, or allow contacting the source',
    });
  }

  private async secret(content: Uint8Array | string | undefined): Promise<[string, PullSecret]> {
    if (content === undefined || content.length === 0) return ['', PullSecret.none];
    const key = createHash('sha256').update(content).digest('base64');
    return [key, await this.secrets.get(key, async () => PullSecret.parse(content))];
  }

  private config({ resolved, secret }: Found, signal: AbortSignal | undefined): Promise<ImageConfig> {
    const load = (inner: AbortSignal) => this.client.config(resolved, { pullSecret: secret, signal: inner });
    return this.configs.get(resolved.config.digest, load, signal);
  }

  private async architectures(found: Found, signal: AbortSignal | undefined): Promise<readonly string[]> {
    if (found.resolved.architectures.length > 0) return found.resolved.architectures;
    const { architecture } = await this.config(found, signal);
    return architecture === '' ? [] : [architecture];
  }

  private payload({ resolved, secret, readFrom }: Found, signal: AbortSignal): Promise<ReleasePayload> {
    const load = async (inner: AbortSignal): Promise<ReleasePayload> => {
      const wanted = { required: [imageReferencesFile, bootImagesFile], optional: [releaseMetadataFile] };
      const files = await this.client.files(resolved, wanted, { pullSecret: secret, signal: inner });
      const file = (name: string) => {
        const bytes = files.get(name);
        if (!bytes) throw malformedRelease(readFrom, `it has no file ${name}`);
        return bytes;
      };
      const references = parseImageReferences(file(imageReferencesFile), readFrom);
      const metadata = files.get(releaseMetadataFile);
      return {
        version: references.version,
        components: new Map(references.tags.map(({ name, image }) => [name, image])),
        componentVersions: componentVersions(references, readFrom),
        bootImages: parseBootImages(file(bootImagesFile), readFrom),
        metadata: metadata ? parseReleaseMetadata(metadata, readFrom) : undefined,
      };
    };
    return this.payloads.get(resolved.digest, load, signal);
  }

  private overridesKey(overrides: RegistryOverrides | undefined): string {
    if (!overrides) return '';
    let key = this.overrideKeys.get(overrides);
    if (key === undefined) {
      key = JSON.stringify(Object.entries(overrides).sort(([a], [b]) => (a < b ? -1 : 1)));
      this.overrideKeys.set(overrides, key);
    }
    return key;
  }
}

function withMirrors(error: ReleaseError, failures: readonly string[]): ReleaseError {
  return new ReleaseError(error.code, {
    message: `${error.message}; mirrors failed before: ${failures.map((one) => one.slice(0, 500)).join('; ')}`,
    retry: error.retry,
    ...(error.fix ? { fix: error.fix } : {}),
    ...(error.field ? { field: error.field } : {}),
    cause: error,
  });
}
