import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capabilityLabels, cpoCapabilities } from '../payload/capabilities.ts';
import { hasDockerRegistry, type RunningRegistry, registryFolder, startRegistry } from '../testing/docker-registry.ts';
import { releaseFiles, releaseLayers } from '../testing/payload.ts';
import { Pusher } from '../testing/push.ts';
import { layerOf, tar } from '../testing/tar.ts';
import { startTokenServer, type TokenServer } from '../testing/token-server.ts';
import { RegistryReleaseProvider } from './registry-provider.ts';

// bcrypt of "let-me-in", the only kind of hash the registry accepts.
const htpasswd = 'puller:$2b$04$vgKtDJiQVJW45FwVBfVufu196o8rMQbx3E.akipQJBAU3TW4UlMpq\n';
const auth = (user: string, password: string) => ({ auth: Buffer.from(`${user}:${password}`).toString('base64') });
const secretOf = (auths: Record<string, unknown>) => JSON.stringify({ auths });

describe.skipIf(!hasDockerRegistry())('releases from a real registry', () => {
  const folder = registryFolder();
  const running: { stop(): Promise<void> }[] = [];
  const providers: RegistryReleaseProvider[] = [];
  let open: RunningRegistry;
  let secured: RunningRegistry;
  let tokened: RunningRegistry;
  let tokens: TokenServer;
  let trustBundle = '';
  let releaseDigest = '';
  let multiDigest = '';

  const provider = (options: ConstructorParameters<typeof RegistryReleaseProvider>[0] = {}) => {
    const made = new RegistryReleaseProvider({
      plainHttpRegistries: [open.host, tokened.host],
      trustBundle,
      ...options,
    });
    providers.push(made);
    return made;
  };
  const refused = (promise: Promise<unknown>) =>
    promise.then(
      () => Promise.reject(new Error('was not refused')),
      (error: unknown) => error as Error & { code: string; fix: string; retry: string },
    );

  beforeAll(async () => {
    const storage = join(folder.path, 'storage');
    open = await startRegistry({ storage });
    running.push(open);

    const now = Date.now();
    const authority = await createAuthority({ subject: { commonName: 'registry-ca' }, now });
    const serving = await issue(authority, {
      subject: { commonName: 'registry' },
      role: 'server',
      now,
      ipAddresses: ['127.0.0.1'],
    });
    trustBundle = authority.certificatePem;
    const file = (name: string, text: string) => {
      writeFileSync(join(folder.path, name), text);
      return join(folder.path, name);
    };
    const tls = { certFile: file('tls.crt', serving.certificatePem), keyFile: file('tls.key', serving.keyPem) };
    secured = await startRegistry({ storage, tls, htpasswdFile: file('htpasswd', htpasswd) });
    running.push(secured);

    tokens = await startTokenServer({ puller: 'let-me-in' }, 'refresh-me');
    running.push(tokens);
    const rootCertFile = file('token-root.crt', tokens.rootPem);
    tokened = await startRegistry({ storage, token: { realm: tokens.realm, issuer: tokens.issuer, rootCertFile } });
    running.push(tokened);

    const push = new Pusher(open.origin);
    releaseDigest = await push.image('ocp/release', '4.20.3', { layers: releaseLayers(), format: 'docker' });
    multiDigest = await push.index('ocp/release', '4.20.3-multi', [
      { layers: releaseLayers(), architecture: 'arm64' },
      { layers: releaseLayers(), architecture: 'amd64' },
    ]);
    await push.index('ocp/release', '4.20.3-list', [{ layers: releaseLayers(), architecture: 's390x' }], 'docker');
    await push.image('team/hypershift', 'v1', {
      layers: [layerOf([{ name: 'bin', content: 'x' }])],
      labels: {
        [capabilityLabels.subcommands]: 'true',
        [capabilityLabels.restrictedPodSecurity]: 'true',
        maintainer: 'team',
      },
      architecture: 'arm64',
    });
    await push.image('ocp/plain', 'tar', { layers: [tar(releaseFiles({ version: '4.21.1' }))] });
    await push.image('ocp/moving', 'candidate', { layers: releaseLayers({ version: '4.20.3' }) });
  });

  afterAll(async () => {
    await Promise.all(providers.map((one) => one.close()));
    await Promise.all(running.map((one) => one.stop()));
    folder.remove();
  });

  it('When an image is open to all, it should read version, components, versions and boot images', async () => {
    const image = `${open.host}/ocp/release:4.20.3`;
    const release = await provider().lookup(image);
    expect(release).toMatchObject({
      image,
      readFrom: image,
      version: '4.20.3',
      digest: releaseDigest,
      source: 'registry',
      payloadArch: 'AMD64',
    });
    expect(release.pinnedImage).toBe(`${open.host}/ocp/release@${releaseDigest}`);
    expect([...release.components.keys()]).toEqual(['hyperkube', 'etcd', 'hypershift']);
    expect(Object.fromEntries(release.componentVersions)).toEqual({ release: '4.20.3', kubernetes: '1.33.5' });
    expect(release.bootImages.legacy?.architectures['x86_64']?.images?.aws?.regions['us-east-1']?.image).toMatch(
      /^ami-/,
    );
    expect(release.metadata?.previous).toEqual(['4.20.2']);
  });

  it.each([
    ['OCI index', '4.20.3-multi', 'Multi', ['arm64', 'amd64']],
    ['Docker manifest list with one image', '4.20.3-list', 'S390X', ['s390x']],
  ])('When the reference is an %s, it should report its architectures', async (_, tag, payloadArch, architectures) => {
    const release = await provider().lookup(`${open.host}/ocp/release:${tag}`);
    expect(release).toMatchObject({ version: '4.20.3', payloadArch, architectures });
  });

  it('When asked by the digest of an index, it should find it', async () => {
    expect((await provider().lookup(`${open.host}/ocp/release@${multiDigest}`)).digest).toBe(multiDigest);
  });

  it('When layers are not compressed, it should read them all the same', async () => {
    expect((await provider().lookup(`${open.host}/ocp/plain:tar`)).version).toBe('4.21.1');
  });

  it('When asked for labels, it should tell what a control-plane-operator image can do', async () => {
    const metadata = await provider().imageMetadata(`${open.host}/team/hypershift:v1`);
    expect(metadata).toMatchObject({ architectures: ['arm64'], payloadArch: 'ARM64' });
    expect(metadata.labels['maintainer']).toBe('team');
    const capabilities = cpoCapabilities(metadata.labels);
    expect(capabilities).toMatchObject({ subcommands: true, restrictedPodSecurity: true, defaultsToV2: false });
  });

  it('When the registry wants a password over TLS, it should use the pull secret', async () => {
    const pullSecret = secretOf({ [secured.host]: auth('puller', 'let-me-in') });
    expect((await provider().lookup(`${secured.host}/ocp/release:4.20.3`, { pullSecret })).version).toBe('4.20.3');
  });

  it('When the secret has an entry for the repository, it should win over that of the host', async () => {
    const pullSecret = secretOf({
      [secured.host]: auth('puller', 'wrong'),
      [`${secured.host}/ocp`]: auth('puller', 'let-me-in'),
    });
    expect((await provider().lookup(`${secured.host}/ocp/release:4.20.3`, { pullSecret })).version).toBe('4.20.3');
    const error = await refused(provider().imageMetadata(`${secured.host}/team/hypershift:v1`, { pullSecret }));
    expect(error.code).toBe('REGISTRY_UNAUTHORIZED');
  });

  it('When credentials are wrong or missing, it should say which entry was used and what to do', async () => {
    const image = `${secured.host}/ocp/release:4.20.3`;
    const wrong = await refused(
      provider().lookup(image, { pullSecret: secretOf({ [secured.host]: auth('puller', 'no-such') }) }),
    );
    expect(wrong).toMatchObject({ code: 'REGISTRY_UNAUTHORIZED', retry: 'after-user-change' });
    expect(wrong.message).toContain(
      `${image} may not be read with the credentials of pull secret entry "${secured.host}"`,
    );
    expect(wrong.message).not.toContain('no-such');
    const missing = await refused(provider().lookup(image, { pullSecret: secretOf({ 'quay.io': auth('a', 'b') }) }));
    expect(missing.message).toContain(`the pull secret has no entry for ${secured.host}`);
    expect(missing.fix).toBe(`add an entry for ${secured.host} to the pull secret`);
  });

  it('When the certificate is not trusted, it should say so', async () => {
    const error = await refused(provider({ trustBundle: '' }).lookup(`${secured.host}/ocp/release:4.20.3`));
    expect(error).toMatchObject({ code: 'REGISTRY_UNREACHABLE', retry: 'backoff' });
    expect(error.message).toMatch(/certificate/);
    expect(error.fix).toContain('additionalTrustBundle');
  });

  it('When the registry wants a token, it should fetch one for the repository with the credentials', async () => {
    tokens.requests.length = 0;
    const image = `${tokened.host}/ocp/release:4.20.3`;
    const pullSecret = secretOf({ [tokened.host]: auth('puller', 'let-me-in') });
    expect((await provider().lookup(image, { pullSecret })).version).toBe('4.20.3');
    expect(new Set(tokens.requests)).toEqual(new Set(['GET repository:ocp/release:pull puller']));
    const error = await refused(provider().lookup(image));
    expect(error.code).toBe('REGISTRY_UNAUTHORIZED');
  });

  it('When the pull secret holds a refresh token, it should exchange it', async () => {
    tokens.requests.length = 0;
    const pullSecret = secretOf({ [tokened.host]: { auth: auth('0000', '').auth, identitytoken: 'refresh-me' } });
    expect((await provider().lookup(`${tokened.host}/ocp/release:4.20.3`, { pullSecret })).version).toBe('4.20.3');
    expect(tokens.requests[0]).toBe('POST repository:ocp/release:pull refresh');
  });

  it.each([
    ['tag', 'ocp/release:9.9.9', /9\.9\.9 was not found: the registry answered 404 MANIFEST_UNKNOWN/],
    ['repository', 'no/such:1', /404/],
  ])('When the %s does not exist, it should name image and answer', async (_, path, message) => {
    const error = await refused(provider().lookup(`${open.host}/${path}`));
    expect(error).toMatchObject({ code: 'REGISTRY_NOT_FOUND', retry: 'after-user-change' });
    expect(error.message).toMatch(message);
  });

  it('When the image is not a release, it should name the missing file', async () => {
    const error = await refused(provider().lookup(`${open.host}/team/hypershift:v1`));
    expect(error.code).toBe('RELEASE_MALFORMED');
    expect(error.message).toContain('it has no file release-manifests/image-references');
  });

  it('When overrides lead elsewhere, it should read there and rewrite components, keeping the canonical ones', async () => {
    const registryOverrides = { 'quay.example': 'mirror.example:5000', 'releases.example/x': `${open.host}/ocp` };
    const release = await provider().lookup('releases.example/x/release:4.20.3', { registryOverrides });
    expect(release.readFrom).toBe(`${open.host}/ocp/release:4.20.3`);
    expect(release.pinnedImage).toBe(`releases.example/x/release@${releaseDigest}`);
    expect(release.components.get('etcd')).toMatch(/^mirror\.example:5000\/ocp\/art@sha256:b/);
    expect(release.canonicalComponents.get('etcd')).toMatch(/^quay\.example\/ocp\/art@sha256:b/);
  });

  it('When the first mirror lacks the image, it should take the next, and the source when all fail', async () => {
    const imageMirrors = [{ source: 'releases.example/x', mirrors: [`${open.host}/empty`, `${open.host}/ocp`] }];
    const one = provider();
    const release = await one.lookup('releases.example/x/release:4.20.3', { imageMirrors });
    expect(release.readFrom).toBe(`${open.host}/ocp/release:4.20.3`);
    const fallback = [{ source: `${open.host}/ocp`, mirrors: [`${open.host}/empty`] }];
    expect((await one.lookup(`${open.host}/ocp/release:4.20.3`, { imageMirrors: fallback })).readFrom).toBe(
      `${open.host}/ocp/release:4.20.3`,
    );
    const closed = [{ source: `${open.host}/ocp`, mirrors: [`${open.host}/empty`], neverContactSource: true }];
    const error = await refused(one.lookup(`${open.host}/ocp/release:4.20.3`, { imageMirrors: closed }));
    expect(error.code).toBe('REGISTRY_NOT_FOUND');
  });

  it('When the environment names a proxy, it should go through it, except where it must not', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket: Socket) => {
      asked.push(request.url ?? '');
      const [host, port] = (request.url ?? '').split(':');
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const image = `${secured.host}/ocp/release:4.20.3`;
    const pullSecret = secretOf({ [secured.host]: auth('puller', 'let-me-in') });
    const HTTPS_PROXY = `http://127.0.0.1:${port}`;
    const direct = provider({ env: { HTTPS_PROXY, NO_PROXY: '127.0.0.1' } });
    expect((await direct.lookup(image, { pullSecret })).version).toBe('4.20.3');
    expect(asked).toEqual([]);
    const through = provider({ env: { HTTPS_PROXY } });
    expect((await through.lookup(image, { pullSecret })).version).toBe('4.20.3');
    expect(new Set(asked)).toEqual(new Set([secured.host]));
    await through.close();
    proxy.close();
  });

  it('When a mirror accepts and then says nothing, it should not keep the look-up from the next place', async () => {
    const silent = createTcpServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const one = provider({ limits: { mirrorMs: 100 }, plainHttpRegistries: [open.host, host] });
    const imageMirrors = [{ source: `${open.host}/ocp`, mirrors: [`${host}/ocp`] }];
    const started = performance.now();
    const release = await one.lookup(`${open.host}/ocp/release:4.20.3`, { imageMirrors });
    expect(release.readFrom).toBe(`${open.host}/ocp/release:4.20.3`);
    await one.lookup(`${open.host}/ocp/release:4.20.3-multi`, { imageMirrors: [] });
    await one.lookup(`${open.host}/ocp/release:4.20.3`, { imageMirrors });
    expect(performance.now() - started).toBeLessThan(2000);
    silent.close();
  });

  it('When many ask at once and again, it should hand out one object; another pull secret must prove itself', async () => {
    const one = provider();
    const image = `${secured.host}/ocp/release:4.20.3`;
    const pullSecret = secretOf({ [secured.host]: auth('puller', 'let-me-in') });
    const all = await Promise.all(Array.from({ length: 20 }, () => one.lookup(image, { pullSecret })));
    expect(new Set(all).size).toBe(1);
    expect(await one.lookup(image, { pullSecret })).toBe(all[0]);
    expect((await refused(one.lookup(image))).code).toBe('REGISTRY_UNAUTHORIZED');
  });

  it('When a tag moves, it should be seen once the resolution is old, and by a digest of its own', async () => {
    const image = `${open.host}/ocp/moving:candidate`;
    const one = provider({ resolutionTtlMs: 0 });
    const before = await one.lookup(image);
    await new Pusher(open.origin).image('ocp/moving', 'candidate', { layers: releaseLayers({ version: '4.20.8' }) });
    const after = await one.lookup(image);
    expect([before.version, after.version]).toEqual(['4.20.3', '4.20.8']);
    expect(after.pinnedImage).not.toBe(before.pinnedImage);
  });
});
