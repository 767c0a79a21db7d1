import { createHash } from 'node:crypto';

export interface ImageToPush {
  readonly layers: readonly Buffer[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly architecture?: string;
  readonly format?: 'oci' | 'docker';
}

const types = {
  oci: {
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    index: 'application/vnd.oci.image.index.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  },
  docker: {
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  },
} as const;

export const sha256 = (bytes: Buffer | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Pushes images to an open registry, the way any client does: blobs first, then the manifest. */
export class Pusher {
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Returns the digest of the manifest. */
  async image(repository: string, tag: string | undefined, image: ImageToPush): Promise<string> {
    const type = types[image.format ?? 'oci'];
    const config = Buffer.from(
      JSON.stringify({
        architecture: image.architecture ?? 'amd64',
        os: 'linux',
        config: { Labels: image.labels ?? {} },
        rootfs: { type: 'layers', diff_ids: [] },
      }),
    );
    const layers = [];
    for (const layer of image.layers) layers.push(await this.blob(repository, layer, type.layer));
    const document = {
      schemaVersion: 2,
      mediaType: type.manifest,
      config: await this.blob(repository, config, type.config),
      layers,
    };
    return this.manifest(repository, tag, JSON.stringify(document), type.manifest);
  }

  /** An index over images of several architectures. */
  async index(
    repository: string,
    tag: string,
    images: readonly ImageToPush[],
    format: 'oci' | 'docker' = 'oci',
  ): Promise<string> {
    const manifests = [];
    for (const image of images) {
      const digest = await this.image(repository, undefined, { ...image, format });
      const size = await this.sizeOf(repository, digest);
      const platform = { architecture: image.architecture ?? 'amd64', os: 'linux' };
      manifests.push({ mediaType: types[format].manifest, digest, size, platform });
    }
    const document = JSON.stringify({ schemaVersion: 2, mediaType: types[format].index, manifests });
    return this.manifest(repository, tag, document, types[format].index);
  }

  private async blob(repository: string, bytes: Buffer, mediaType: string) {
    const digest = sha256(bytes);
    const start = await this.ok(`/v2/${repository}/blobs/uploads/`, { method: 'POST' }, 202);
    const location = new URL(start.headers.get('location') as string, this.origin);
    location.searchParams.set('digest', digest);
    const body = new Uint8Array(bytes);
    await this.ok(location.href, { method: 'PUT', body, headers: { 'content-type': 'application/octet-stream' } }, 201);
    return { mediaType, digest, size: bytes.length };
  }

  private async manifest(repository: string, tag: string | undefined, document: string, type: string): Promise<string> {
    const name = tag ?? sha256(document);
    await this.ok(
      `/v2/${repository}/manifests/${name}`,
      { method: 'PUT', body: document, headers: { 'content-type': type } },
      201,
    );
    return sha256(document);
  }

  private async sizeOf(repository: string, digest: string): Promise<number> {
    const accept = `${types.oci.manifest}, ${types.docker.manifest}`;
    const answer = await this.ok(`/v2/${repository}/manifests/${digest}`, { headers: { accept } }, 200);
    return (await answer.arrayBuffer()).byteLength;
  }

  private async ok(path: string, init: RequestInit, status: number): Promise<Response> {
    const answer = await fetch(new URL(path, this.origin), init);
    if (answer.status !== status)
      throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}
