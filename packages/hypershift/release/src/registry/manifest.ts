import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { ReleaseError } from '../errors.ts';

export interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly mediaType: string;
}

export interface PlatformManifest extends Descriptor {
  readonly architecture: string;
  readonly os: string;
}

export type Manifest =
  | { readonly kind: 'image'; readonly config: Descriptor; readonly layers: readonly Descriptor[] }
  | { readonly kind: 'index'; readonly manifests: readonly PlatformManifest[] };

/** What an image says about itself. */
export interface ImageConfig {
  readonly architecture: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** In the order of preference: indexes first, so that a multi-architecture image shows as one. */
export const acceptedManifests = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const digestPattern = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

function protocolError(message: string, cause?: unknown): ReleaseError {
  return new ReleaseError('REGISTRY_PROTOCOL', {
    message,
    fix: 'check that the address is a container registry (API version 2) and that the image was pushed completely',
    ...(cause === undefined ? {} : { cause }),
  });
}

function parseObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw protocolError(`${what} is not JSON`, cause);
  }
  if (!isJsonObject(document)) throw protocolError(`${what} is not a JSON object`);
  return document;
}

function descriptor(value: unknown, what: string): Descriptor {
  if (!isJsonObject(value)) throw protocolError(`${what} is not an object`);
  const { digest, size, mediaType } = value;
  if (typeof digest !== 'string' || !digestPattern.test(digest)) throw protocolError(`${what} has no valid digest`);
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw protocolError(`${what} has no valid size`);
  return { digest, size, mediaType: typeof mediaType === 'string' ? mediaType : '' };
}

/** Reads an image manifest or an index, of OCI or Docker. */
export function parseManifest(bytes: Uint8Array, what: string): Manifest {
  const document = parseObject(bytes, what);
  if (document['schemaVersion'] === 1)
    throw protocolError(`${what} has the outdated schema version 1, which carries no digests of its layers`);
  const { manifests, layers, config } = document;
  if (Array.isArray(manifests))
    return {
      kind: 'index',
      manifests: manifests.map((entry: unknown, index) => platformManifest(entry, `${what}, entry ${index}`)),
    };
  if (!Array.isArray(layers) || config === undefined)
    throw protocolError(`${what} is neither an image manifest nor an index`);
  return {
    kind: 'image',
    config: descriptor(config, `${what}, config`),
    layers: layers.map((layer: unknown, index) => descriptor(layer, `${what}, layer ${index}`)),
  };
}

function platformManifest(value: unknown, what: string): PlatformManifest {
  const platform = isJsonObject(value) && isJsonObject(value['platform']) ? value['platform'] : {};
  const text = (field: unknown) => (typeof field === 'string' ? field : '');
  return { ...descriptor(value, what), architecture: text(platform['architecture']), os: text(platform['os']) };
}

/** The images of an index that are meant for running; build attestations carry platform unknown/unknown. */
export function runnable(manifests: readonly PlatformManifest[]): readonly PlatformManifest[] {
  return manifests.filter(({ architecture, os }) => architecture !== 'unknown' && os !== 'unknown');
}

/** The image of an index to read: any will do for release files, so the most common platform is taken. */
export function preferredManifest(manifests: readonly PlatformManifest[]): PlatformManifest | undefined {
  const able = runnable(manifests);
  const isLinux = ({ os }: PlatformManifest) => os === 'linux' || os === '';
  return able.find((one) => isLinux(one) && one.architecture === 'amd64') ?? able.find(isLinux) ?? able[0];
}

/** Reads the image configuration: labels and architecture. */
export function parseImageConfig(bytes: Uint8Array, what: string): ImageConfig {
  const document = parseObject(bytes, what);
  const labelsOf = (section: unknown) =>
    isJsonObject(section) && isJsonObject(section['Labels']) ? section['Labels'] : undefined;
  const found = labelsOf(document['config']) ?? labelsOf(document['container_config']) ?? {};
  const labels: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(found)) if (typeof value === 'string') labels[name] = value;
  const { architecture } = document;
  return { architecture: typeof architecture === 'string' ? architecture : '', labels };
}
