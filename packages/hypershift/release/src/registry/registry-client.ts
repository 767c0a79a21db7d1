import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { causeText, ReleaseError } from '../errors.ts';
import { PullSecret } from '../image/pull-secret.ts';
import { manifestName, parseReference } from '../image/reference.ts';
import { readAll } from './body.ts';
import { FileExtraction, type WantedFiles } from './extract.ts';
import { deadline, defaultLimits, type RegistryLimits } from './limits.ts';
import {
  acceptedManifests,
  type Descriptor,
  type ImageConfig,
  parseImageConfig,
  parseManifest,
  preferredManifest,
  runnable,
} from './manifest.ts';
import { RegistrySession } from './session.ts';
import { httpTransport, type RegistryTransport } from './transport.ts';

export interface RegistryClientOptions {
  /** PEM certificates trusted in addition to the usual ones. */
  readonly trustBundle?: string;
  /** Registries (host:port) spoken to without TLS. Nothing falls back to that by itself. */
  readonly plainHttpRegistries?: readonly string[];
  readonly limits?: Partial<RegistryLimits>;
  readonly clock?: Clock;
  readonly transport?: RegistryTransport;
  /** Where HTTPS_PROXY and NO_PROXY are looked up; the process environment unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An image found in a registry: what its tag means now, and the one image of it that is read. */
export interface ResolvedImage {
  /** The reference that was asked for. */
  readonly image: string;
  /** Digest of what the reference names: an index, or the image itself. */
  readonly digest: string;
  /** Architectures the reference offers; one, unless it is an index. Empty when a lone image does not say until its config is read. */
  readonly architectures: readonly string[];
  readonly isIndex: boolean;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export interface ReadOptions {
  readonly pullSecret?: PullSecret;
  readonly signal?: AbortSignal;
  /** For this call; the limit `lookupMs` unless given. */
  readonly timeoutMs?: number;
}

/** Reads images from any registry of the distribution API, version 2. Keeps connections, but no content. */
export class RegistryClient {
  private readonly limits: RegistryLimits;
  private readonly clock: Clock;
  private readonly transport: RegistryTransport;
  private readonly plainHttp: ReadonlySet<string>;

  constructor(options: RegistryClientOptions = {}) {
    this.limits = { ...defaultLimits, ...options.limits };
    this.clock = options.clock ?? systemClock;
    this.plainHttp = new Set(options.plainHttpRegistries);
    this.transport =
      options.transport ??
      httpTransport({
        idleMs: this.limits.idleMs,
        ...(options.trustBundle ? { trustBundle: options.trustBundle } : {}),
        ...(options.env ? { env: options.env } : {}),
      });
  }

  /** Looks up what a reference names. Proves that the pull secret may read it. */
  resolve(image: string, options: ReadOptions = {}): Promise<ResolvedImage> {
    return this.within(image, options, async (session) => {
      const reference = parseReference(image);
      const root = await this.manifest(session, manifestName(reference), reference.digest);
      if (root.manifest.kind === 'image')
        return { image, digest: root.digest, architectures: [], isIndex: false, ...contentOf(root.manifest) };
      const chosen = preferredManifest(root.manifest.manifests);
      if (!chosen)
        throw new ReleaseError('REGISTRY_PROTOCOL', {
          message: `image ${image} is an index without any image in it`,
          fix: 'push the image again, with the images of its index',
        });
      const { manifest } = await this.manifest(session, chosen.digest, chosen.digest);
      if (manifest.kind !== 'image')
        throw new ReleaseError('REGISTRY_PROTOCOL', {
          message: `image ${image} is an index of indexes, which is not supported`,
        });
      const architectures = [...new Set(runnable(root.manifest.manifests).map(({ architecture }) => architecture))];
      return {
        image,
        digest: root.digest,
        isIndex: true,
        architectures: architectures.filter(Boolean),
        ...contentOf(manifest),
      };
    });
  }

  /** Reads the configuration of an image: its labels and architecture. */
  config(resolved: ResolvedImage, options: ReadOptions = {}): Promise<ImageConfig> {
    return this.within(resolved.image, options, async (session) => {
      const what = `the configuration of ${resolved.image}`;
      const bytes = await this.document(session, `blobs/${resolved.config.digest}`, '*/*', what);
      verify(bytes, resolved.config.digest, what);
      return parseImageConfig(bytes, what);
    });
  }

  /** Takes files out of the layers of an image. Files that are not there are not in the result. */
  files(resolved: ResolvedImage, wanted: WantedFiles, options: ReadOptions = {}): Promise<ReadonlyMap<string, Buffer>> {
    return this.within(resolved.image, options, async (session) => {
      if (resolved.layers.length > this.limits.layers)
        throw new ReleaseError('REGISTRY_LIMIT_EXCEEDED', {
          message: `image ${resolved.image} has ${resolved.layers.length} layers; at most ${this.limits.layers} are read`,
          fix: 'check that the image is a release image',
          field: 'spec.release.image',
        });
      const extraction = new FileExtraction(resolved.image, wanted, this.limits);
      for (const layer of resolved.layers.toReversed()) {
        if (extraction.complete) break;
        const response = await session.get(`blobs/${layer.digest}`, '*/*');
        try {
          await extraction.layer(layer, response.body as AsyncIterable<Uint8Array>);
        } finally {
          response.discard();
        }
      }
      return extraction.files;
    });
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private async within<T>(
    image: string,
    options: ReadOptions,
    work: (session: RegistrySession) => Promise<T>,
  ): Promise<T> {
    const reference = parseReference(image);
    const { signal, done } = deadline(this.clock, options.timeoutMs ?? this.limits.lookupMs, options.signal);
    try {
      return await work(
        new RegistrySession({
          reference,
          credential: (options.pullSecret ?? PullSecret.none).credentialFor(reference),
          transport: this.transport,
          limits: this.limits,
          clock: this.clock,
          signal,
          plainHttp: this.plainHttp.has(reference.registry),
        }),
      );
    } finally {
      done();
    }
  }

  private async manifest(session: RegistrySession, name: string, expected: string | undefined) {
    const what = `the manifest ${name} of ${session.image}`;
    const response = await session.get(`manifests/${name}`, acceptedManifests);
    const bytes = await this.bytes(response.body, what);
    const promised = expected ?? response.header('docker-content-digest');
    const digest = promised ?? `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    verify(bytes, digest, what);
    return { digest, manifest: parseManifest(bytes, what) };
  }

  private async document(session: RegistrySession, path: string, accept: string, what: string): Promise<Buffer> {
    return this.bytes((await session.get(path, accept)).body, what);
  }

  private async bytes(body: Parameters<typeof readAll>[0], what: string): Promise<Buffer> {
    try {
      return await readAll(body, this.limits.documentBytes);
    } catch (cause) {
      const tooLarge = cause instanceof RangeError;
      throw new ReleaseError(tooLarge ? 'REGISTRY_LIMIT_EXCEEDED' : 'REGISTRY_UNREACHABLE', {
        message: `${what} cannot be read: ${causeText(cause)}`,
        fix: tooLarge
          ? 'check that the image is a release image'
          : 'it is tried again; check the network if this stays',
        cause,
      });
    }
  }
}

const contentOf = ({ config, layers }: Pick<ResolvedImage, 'config' | 'layers'>) => ({ config, layers });

function verify(bytes: Buffer, digest: string, what: string): void {
  const [algorithm, expected] = digest.split(':') as [string, string | undefined];
  if (algorithm !== 'sha256' && algorithm !== 'sha512')
    throw new ReleaseError('REGISTRY_PROTOCOL', {
      message: `${what} has a digest of unknown kind ${JSON.stringify(algorithm)}`,
    });
  const actual = createHash(algorithm).update(bytes).digest('hex');
  if (actual !== expected)
    throw new ReleaseError('REGISTRY_DIGEST_MISMATCH', {
      message: `${what} is not what it should be: its content has digest ${algorithm}:${actual}, not ${digest}`,
      fix: 'check the registry or the mirror it came from; push the image again if it is damaged',
    });
}
