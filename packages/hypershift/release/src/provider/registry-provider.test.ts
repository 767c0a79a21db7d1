import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { fakeTransport } from '../testing/fake-transport.ts';
import { releaseLayers } from '../testing/payload.ts';
import { sha256 } from '../testing/push.ts';
import { RegistryReleaseProvider } from './registry-provider.ts';

const config = Buffer.from('{"architecture":"amd64"}');
const describeBlob = (bytes: Buffer) => ({ mediaType: 'x', digest: sha256(bytes), size: bytes.length });

function registryWith(versions: readonly string[]) {
  const blobs = new Map<string, Buffer>([[sha256(config), config]]);
  const manifests = new Map<string, string>();
  for (const version of versions) {
    const layers = releaseLayers({ version });
    for (const layer of layers) blobs.set(sha256(layer), layer);
    manifests.set(
      version,
      JSON.stringify({ schemaVersion: 2, config: describeBlob(config), layers: layers.map(describeBlob) }),
    );
  }
  return fakeTransport(({ url }) => {
    const [, kind, name] = /\/(manifests|blobs)\/(.+)$/.exec(url.pathname) ?? [];
    if (url.host === 'down.example') return { status: 404 };
    const body = kind === 'manifests' ? manifests.get(name as string) : blobs.get(name as string);
    return body === undefined ? { status: 404 } : { body };
  });
}

const requests = (transport: ReturnType<typeof registryWith>, part: string) =>
  transport.seen.filter(({ url }) => url.pathname.includes(part)).length;

describe('RegistryReleaseProvider', () => {
  it('When a thousand clusters bring pull secrets of their own, it should check each and read the content once', async () => {
    const transport = registryWith(['4.20.3']);
    const provider = new RegistryReleaseProvider({ transport });
    const secretOf = (index: number) =>
      JSON.stringify({ auths: { 'quay.io': { username: `cluster-${index}`, password: 'p' } } });
    const releases = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        provider.lookup('quay.io/ocp/release:4.20.3', { pullSecret: secretOf(index) }),
      ),
    );
    expect(new Set(releases).size).toBe(1);
    expect(requests(transport, '/manifests/')).toBe(1000);
    expect(requests(transport, '/blobs/')).toBe(2);
    await provider.lookup('quay.io/ocp/release:4.20.3', { pullSecret: secretOf(7) });
    expect(requests(transport, '/manifests/')).toBe(1000);
  });

  it('When a resolution is half an hour old, it should ask for the manifest again but not for the content', async () => {
    const transport = registryWith(['4.20.3']);
    const clock = new ManualClock();
    const provider = new RegistryReleaseProvider({ transport, clock });
    const first = await provider.lookup('quay.io/ocp/release:4.20.3');
    clock.advance(29 * 60_000);
    expect(await provider.lookup('quay.io/ocp/release:4.20.3')).toBe(first);
    expect(requests(transport, '/manifests/')).toBe(1);
    clock.advance(60_000);
    expect(await provider.lookup('quay.io/ocp/release:4.20.3')).toBe(first);
    expect(requests(transport, '/manifests/')).toBe(2);
    expect(requests(transport, '/blobs/')).toBe(2);
  });

  it('When more releases are read than are kept, it should stay within bounds', async () => {
    const versions = Array.from({ length: 6 }, (_, patch) => `4.20.${patch}`);
    const transport = registryWith(versions);
    const provider = new RegistryReleaseProvider({ transport, maxReleases: 2 });
    for (const version of versions)
      expect((await provider.lookup(`quay.io/ocp/release:${version}`)).version).toBe(version);
    const kept = (provider as unknown as Record<string, { size: number }>)['payloads']?.size;
    expect(kept).toBe(2);
  });

  it('When a mirror failed, it should be left alone for a minute', async () => {
    const transport = registryWith(['4.20.3']);
    const clock = new ManualClock();
    const provider = new RegistryReleaseProvider({ transport, clock, resolutionTtlMs: 0 });
    const imageMirrors = [{ source: 'quay.io', mirrors: ['down.example'] }];
    const lookup = () => provider.lookup('quay.io/ocp/release:4.20.3', { imageMirrors });
    const asked = () => transport.seen.filter(({ url }) => url.host === 'down.example').length;
    await lookup();
    await lookup();
    expect(asked()).toBe(1);
    clock.advance(60_001);
    await lookup();
    expect(asked()).toBe(2);
  });

  it('When every place fails, it should tell about all of them', async () => {
    const provider = new RegistryReleaseProvider({ transport: registryWith([]) });
    const imageMirrors = [{ source: 'quay.io', mirrors: ['down.example'] }];
    await expect(provider.lookup('quay.io/ocp/release:1.2.3', { imageMirrors })).rejects.toMatchObject({
      code: 'REGISTRY_NOT_FOUND',
      message: expect.stringMatching(
        /quay\.io\/ocp\/release:1\.2\.3 was not found.*mirrors failed before: down\.example\/ocp\/release:1\.2\.3/,
      ),
    });
  });

  it('When the pull secret or the reference is bad, it should say so before asking anybody', async () => {
    const transport = registryWith([]);
    const provider = new RegistryReleaseProvider({ transport });
    await expect(provider.lookup('quay.io/a', { pullSecret: 'x' })).rejects.toMatchObject({
      code: 'RELEASE_PULL_SECRET_INVALID',
    });
    await expect(provider.lookup('quay.io/A B')).rejects.toMatchObject({ code: 'RELEASE_REFERENCE_INVALID' });
    expect(transport.seen).toEqual([]);
  });
});
