import { createHash } from 'node:crypto';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { ReleaseError } from '../errors.ts';
import { parseReference, withDigest } from '../image/reference.ts';
import { allCapabilityLabels } from '../payload/capabilities.ts';
import { SharedCache } from '../provider/cache.ts';
import { placesOf } from '../provider/places.ts';
import { type ReleasePayload, presentRelease } from '../provider/present.ts';
import type { ImageMetadata, LookupOptions, ReleaseProvider } from '../provider/provider.ts';
import { payloadArchOf, type ReleaseImage } from '../release-image.ts';
import { compareVersions, normaliseToFour, parseVersion } from '../version/version.ts';
import { componentsOf } from './components.ts';
import { embeddedBootImages } from './embedded-boot-images.ts';
import { type EmbeddedRelease, embeddedReleases } from './releases.ts';

/** Where embedded images pretend to be. No such registry exists; the name says that an image is built in. */
export const embeddedRegistry = 'registry.hypershift-ts.io';
const releaseRepository = 'release';
const architectures = ['amd64', 'arm64', 'ppc64le', 's390x'];

/** The reference of an embedded release: `registry.hypershift-ts.io/release:4.20.3`. */
export function embeddedReleaseImage(version: string): string {
  return `${embeddedRegistry}/${releaseRepository}:${version}`;
}

/** The reference of a component of an embedded release: `registry.hypershift-ts.io/release/etcd:4.20.3`. */
export function embeddedComponentImage(component: string, version: string): string {
  return `${embeddedRegistry}/${releaseRepository}/${component}:${version}`;
}

export function isEmbeddedImage(image: string): boolean {
  return image.startsWith(`${embeddedRegistry}/`);
}

interface Entry {
  readonly release: EmbeddedRelease;
  readonly payload: ReleasePayload;
  readonly digest: string;
}

/** The releases that come with this project. Answers at once and never touches a network. */
export class EmbeddedCatalogue implements ReleaseProvider {
  private readonly releases: readonly EmbeddedRelease[];
  private readonly entries = new Map<string, Entry>();
  private readonly presented = new SharedCache<ReleaseImage>({ clock: systemClock, maxEntries: 256 });

  constructor(releases: readonly EmbeddedRelease[] = embeddedReleases) {
    this.releases = releases.toSorted((a, b) => compareVersions(normalised(b), normalised(a)));
  }

  /** Versions, newest first. */
  get versions(): readonly string[] {
    return this.releases.map(({ version }) => version);
  }

  /** The newest release, or the newest of a minor such as `4.20`. */
  newest(minor?: string): string | undefined {
    return this.versions.find((version) => minor === undefined || version.startsWith(`${minor}.`));
  }

  /** Releases a cluster of this version may go to, newest first: later patches, and the next minor. */
  updatesFrom(version: string): readonly string[] {
    return this.versions.filter((other) => this.byVersion(other)?.payload.metadata?.previous.includes(version));
  }

  async lookup(image: string, options: LookupOptions = {}): Promise<ReleaseImage> {
    const { digest, payload } = this.entryOf(image, options);
    const origin = { image, readFrom: image, digest, architectures, source: 'embedded' as const };
    const key = `${image}
${JSON.stringify(options.registryOverrides ?? {})}`;
    const known = this.presented.peek(key);
    if (known) return known;
    const release = presentRelease(payload, origin, options.registryOverrides);
    this.presented.set(key, release);
    return release;
  }

  async imageMetadata(image: string, options: LookupOptions = {}): Promise<ImageMetadata> {
    const { repository, tag } = parseReference(place(image, options));
    const component = repository.startsWith(`${releaseRepository}/`)
      ? repository.slice(releaseRepository.length + 1)
      : undefined;
    const entry = component === undefined ? this.entryOf(image, options) : this.byVersion(tag ?? '');
    if (!entry || (component !== undefined && !entry.payload.components.has(component))) throw this.unknown(image);
    const digest = component === undefined ? entry.digest : `sha256:${sha256(`${component}:${entry.release.version}`)}`;
    return Object.freeze({
      image,
      readFrom: image,
      digest,
      pinnedImage: withDigest(parseReference(image), digest),
      architectures,
      payloadArch: payloadArchOf(architectures),
      labels: component === 'hypershift' ? allCapabilityLabels() : {},
    });
  }

  async close(): Promise<void> {}

  private entryOf(image: string, options: LookupOptions): Entry {
    const { registry, repository, tag, digest } = parseReference(place(image, options));
    if (registry !== embeddedRegistry || repository !== releaseRepository) throw this.unknown(image);
    const entry =
      digest === undefined
        ? this.byVersion(tag ?? '')
        : this.releases.map(({ version }) => this.byVersion(version)).find((one) => one?.digest === digest);
    if (!entry) throw this.unknown(image);
    return entry;
  }

  private byVersion(version: string): Entry | undefined {
    const known = this.entries.get(version);
    if (known) return known;
    const release = this.releases.find((one) => one.version === version);
    if (!release) return undefined;
    const payload = payloadOf(release, this.releases);
    const digest = `sha256:${sha256(JSON.stringify([payload.version, [...payload.components], [...payload.componentVersions], release.coreos]))}`;
    const entry = { release, payload, digest };
    this.entries.set(version, entry);
    return entry;
  }

  private unknown(image: string): ReleaseError {
    return new ReleaseError('RELEASE_NOT_EMBEDDED', {
      message: `image ${image} is not one of the embedded releases: ${this.versions.join(', ')}`,
      fix: `use ${embeddedReleaseImage(this.newest() ?? '<version>')} or another of them, or a release image of a real registry`,
      field: 'spec.release.image',
    });
  }
}

/** An embedded release may be the target of an override or a mirror too. */
function place(image: string, options: LookupOptions): string {
  const places = placesOf(image, options);
  return places.find(isEmbeddedImage) ?? places[0] ?? image;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const normalised = ({ version }: EmbeddedRelease) => normaliseToFour(parseVersion(version));

function payloadOf(release: EmbeddedRelease, all: readonly EmbeddedRelease[]): ReleasePayload {
  const { version, kubernetes, coreos, without = [] } = release;
  const own = normalised(release);
  const components = componentsOf(own.minor).filter((name) => !without.includes(name));
  const previous = all.filter((other) => {
    const { minor } = normalised(other);
    return compareVersions(normalised(other), own) < 0 && own.minor - minor <= 1;
  });
  let bootImages: ReleasePayload['bootImages'] | undefined;
  return {
    version,
    components: new Map(components.map((name) => [name, embeddedComponentImage(name, version)])),
    componentVersions: new Map([
      ['release', version],
      ['kubectl', kubernetes],
      ['kubernetes', kubernetes],
      ['machine-os', Object.values(coreos).sort()[0] as string],
    ]),
    // Large, and wanted by node pools only.
    get bootImages() {
      bootImages ??= embeddedBootImages(coreos, embeddedRegistry);
      return bootImages;
    },
    metadata: {
      version,
      previous: previous.map((other) => other.version).toReversed(),
      metadata: { 'hypershift-ts.io/embedded': 'true' },
    },
  };
}
