import { describe, expect, it } from 'vitest';
import { ReleaseError } from '../errors.ts';
import { PullSecret } from '../image/pull-secret.ts';
import { type Answer, fakeTransport, impatientClock } from '../testing/fake-transport.ts';
import { sha256 } from '../testing/push.ts';
import { layerOf } from '../testing/tar.ts';
import type { RegistryLimits } from './limits.ts';
import { RegistryClient } from './registry-client.ts';
import type { RegistryRequest } from './transport.ts';

const image = 'registry.example/team/app:1';
const file = 'release-manifests/image-references';
const credentials = PullSecret.parse(
  JSON.stringify({ auths: { 'registry.example': { username: 'me', password: 'top-secret' } } }),
);

interface Hosted {
  readonly layers: readonly Buffer[];
  /** Bytes served instead of the real ones, by digest. */
  readonly served?: Readonly<Record<string, Buffer | Iterable<Buffer>>>;
}

function hosted({ layers, served = {} }: Hosted): { answer: (request: RegistryRequest) => Answer; manifest: string } {
  const config = Buffer.from(JSON.stringify({ architecture: 'amd64', config: { Labels: { a: '1' } } }));
  const describe = (bytes: Buffer) => ({ mediaType: 'x', digest: sha256(bytes), size: bytes.length });
  const manifest = JSON.stringify({ schemaVersion: 2, config: describe(config), layers: layers.map(describe) });
  const blobs = new Map([config, ...layers].map((bytes) => [sha256(bytes), bytes]));
  return {
    manifest,
    answer({ url }) {
      if (url.pathname.includes('/manifests/')) return { body: manifest };
      const digest = url.pathname.split('/blobs/')[1] as string;
      const body = served[digest] ?? blobs.get(digest);
      return body ? { body } : { status: 404 };
    },
  };
}

function client(answer: (request: RegistryRequest) => Answer, limits: Partial<RegistryLimits> = {}) {
  const transport = fakeTransport(answer);
  return { client: new RegistryClient({ transport, limits, clock: impatientClock }), seen: transport.seen };
}

async function read(hostedImage: Hosted, limits: Partial<RegistryLimits> = {}) {
  const { client: reader } = client(hosted(hostedImage).answer, limits);
  return reader.files(await reader.resolve(image), { required: [file] });
}

async function failure(work: Promise<unknown>): Promise<ReleaseError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ReleaseError);
  return error as ReleaseError;
}

const layerWith = (content: string, name = file) => layerOf([{ name, content }]);

describe('taking files out of layers', () => {
  it('When a newer layer has the file too, it should win', async () => {
    const files = await read({ layers: [layerWith('old'), layerWith('new', `./${file}`)] });
    expect(files.get(file)?.toString()).toBe('new');
  });

  it.each([
    ['the file', [{ name: 'release-manifests/.wh.image-references' }]],
    ['its folder', [{ name: '.wh.release-manifests' }]],
    ['the content of its folder', [{ name: 'release-manifests/.wh..wh..opq' }]],
  ])('When a newer layer removed %s, it should not find it below', async (_, files) => {
    expect((await read({ layers: [layerWith('old'), layerOf(files)] })).size).toBe(0);
  });

  it('When names are long, it should understand pax headers and go on after them', async () => {
    const long = `${'deep/'.repeat(30)}file`;
    const layer = layerOf([
      { name: long, content: 'x'.repeat(700) },
      { name: file, content: 'here' },
    ]);
    const { client: reader } = client(hosted({ layers: [layer] }).answer);
    const files = await reader.files(await reader.resolve(image), { required: [file, long] });
    expect(files.get(file)?.toString()).toBe('here');
    expect(files.get(long)?.length).toBe(700);
  });

  it('When the body comes byte by byte, it should read the same', async () => {
    const layer = layerWith('slowly');
    const pieces = Array.from(layer, (byte) => Buffer.from([byte]));
    const files = await read({ layers: [layer], served: { [sha256(layer)]: pieces } });
    expect(files.get(file)?.toString()).toBe('slowly');
  });

  it.each<[string, (good: Buffer) => Buffer | Buffer[], RegExp]>([
    ['other content of the same length', (good) => Buffer.alloc(good.length, 7), /digest sha256:/],
    ['too few bytes', (good) => good.subarray(0, good.length - 5), /of the promised/],
    ['too many bytes', (good) => [good, Buffer.from('more')], /more than the promised/],
  ])('When a layer has %s, it should refuse what it held', async (_, damage, message) => {
    const layer = layerWith('good');
    const error = await failure(read({ layers: [layer], served: { [sha256(layer)]: damage(layer) } }));
    expect(error.code).toBe('REGISTRY_DIGEST_MISMATCH');
    expect(error.message).toMatch(message);
  });

  it('When the connection breaks in the middle of a layer, it should blame the connection', async () => {
    const layer = layerWith('good');
    function* broken() {
      yield layer.subarray(0, 10);
      throw new Error('other side closed');
    }
    const error = await failure(read({ layers: [layer], served: { [sha256(layer)]: broken() } }));
    expect(error).toMatchObject({ code: 'REGISTRY_UNREACHABLE', retry: 'backoff' });
    expect(error.message).toContain('did not arrive: other side closed');
  });

  it('When a layer is a compression bomb, it should stop at the limit', async () => {
    const archive = layerOf([{ name: 'zeros', content: Buffer.alloc(32 << 20) }]);
    expect((await failure(read({ layers: [archive] }, { unpackedBytes: 1 << 20 }))).code).toBe(
      'REGISTRY_LIMIT_EXCEEDED',
    );
  });

  it.each<[string, Hosted, Partial<RegistryLimits>]>([
    ['a wanted file', { layers: [layerWith('x'.repeat(2000))] }, { fileBytes: 1000 }],
    ['the transfer', { layers: [layerWith('x')] }, { transferBytes: 50 }],
    ['the number of layers', { layers: [layerWith('a'), layerWith('b'), layerWith('c')] }, { layers: 2 }],
    ['the manifest', { layers: [layerWith('x')] }, { documentBytes: 100 }],
  ])('When %s is over the limit, it should say so and stop', async (_, what, limits) => {
    expect((await failure(read(what, limits))).code).toBe('REGISTRY_LIMIT_EXCEEDED');
  });

  it.each([
    ['random bytes', Buffer.from('this is no archive at all, whatever it says'.repeat(50))],
    ['a zstd stream that is none', Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.alloc(600, 9)])],
    ['a broken gzip', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(600, 9)])],
  ])('When a layer is %s, it should say that the layer cannot be read', async (_, layer) => {
    const error = await failure(read({ layers: [layer] }));
    expect(error.code).toBe('REGISTRY_PROTOCOL');
    expect(error.message).toContain(`layer ${sha256(layer)} of ${image} cannot be read`);
  });
});

describe('talking to a registry', () => {
  it('When a blob is elsewhere, it should follow without carrying the credentials along', async () => {
    const real = hosted({ layers: [layerWith('x')] });
    const { client: reader, seen } = client((request) => {
      if (request.url.host === 'storage.example')
        return { body: JSON.stringify({ config: { Labels: { found: 'yes' } } }) };
      if (!request.headers['authorization']) return { status: 401, headers: { 'www-authenticate': 'Basic realm="r"' } };
      if (request.url.pathname.includes('/blobs/'))
        return { status: 307, headers: { location: 'https://storage.example/blob?signed=1' } };
      return real.answer(request);
    });
    const resolved = await reader.resolve(image, { pullSecret: credentials });
    // The storage answers with other bytes than promised, which also shows that redirected blobs are verified.
    expect((await failure(reader.config(resolved, { pullSecret: credentials }))).code).toBe('REGISTRY_DIGEST_MISMATCH');
    const [storage] = seen.filter(({ url }) => url.host === 'storage.example');
    expect(storage?.headers).not.toHaveProperty('authorization');
  });

  it.each<[string, (request: RegistryRequest) => Answer, string, RegExp]>([
    [
      'redirects to plain HTTP',
      () => ({ status: 307, headers: { location: 'http://storage.example/x' } }),
      'REGISTRY_PROTOCOL',
      /not HTTPS/,
    ],
    [
      'redirects for ever',
      () => ({ status: 307, headers: { location: '/again' } }),
      'REGISTRY_PROTOCOL',
      /more than 5 times/,
    ],
    [
      'wants credentials sent in the clear',
      () => ({ status: 401, headers: { 'www-authenticate': 'Bearer realm="http://token.example/t"' } }),
      'REGISTRY_PROTOCOL',
      /credentials sent to http:\/\/token\.example/,
    ],
    ['serves a web page', () => ({ body: '<html>hello</html>' }), 'REGISTRY_PROTOCOL', /is not JSON/],
    ['serves schema 1', () => ({ body: '{"schemaVersion":1}' }), 'REGISTRY_PROTOCOL', /schema version 1/],
    ['serves an empty index', () => ({ body: '{"manifests":[]}' }), 'REGISTRY_PROTOCOL', /without any image/],
    [
      'promises another digest',
      () => ({ body: '{}', headers: { 'docker-content-digest': `sha256:${'0'.repeat(64)}` } }),
      'REGISTRY_DIGEST_MISMATCH',
      /not sha256:0000/,
    ],
    ['stays broken', () => ({ status: 503 }), 'REGISTRY_REFUSED', /answered 503/],
    [
      'cannot be reached',
      () => ({ fails: new Error('connect ECONNREFUSED') }),
      'REGISTRY_UNREACHABLE',
      /no connection to registry\.example: connect ECONNREFUSED/,
    ],
    [
      'denies',
      () => ({ status: 403, body: '{"errors":[{"code":"DENIED","message":"no"}]}' }),
      'REGISTRY_UNAUTHORIZED',
      /403 DENIED: no/,
    ],
  ])('When the registry %s, it should give an error that names image and cause', async (_, answer, code, message) => {
    const error = await failure(client(answer).client.resolve(image, { pullSecret: credentials }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.message).toContain(image);
    expect(`${error.message}${error.fix}`).not.toContain('top-secret');
    expect(error.fix).toBeTruthy();
  });

  it('When a failure passes, it should try again and succeed', async () => {
    const real = hosted({ layers: [layerWith('x')] });
    const failures: Answer[] = [{ status: 500 }, { fails: new Error('socket hang up') }];
    const { client: reader, seen } = client((request) => failures.shift() ?? real.answer(request));
    expect((await reader.resolve(image)).digest).toBe(sha256(real.manifest));
    expect(seen).toHaveLength(3);
  });

  it('When a digest is asked for, it should accept nothing else', async () => {
    const real = hosted({ layers: [] });
    const { client: reader } = client(real.answer);
    expect((await reader.resolve(`registry.example/team/app@${sha256(real.manifest)}`)).digest).toBe(
      sha256(real.manifest),
    );
    const other = await failure(reader.resolve(`registry.example/team/app@sha256:${'1'.repeat(64)}`));
    expect(other.code).toBe('REGISTRY_DIGEST_MISMATCH');
  });

  it('When the token service refuses, it should blame the credentials', async () => {
    const { client: reader, seen } = client(({ url }) =>
      url.host === 'token.example'
        ? { status: 401 }
        : {
            status: 401,
            headers: {
              'www-authenticate': 'Bearer realm="https://token.example/t",service="s",scope="repository:team/app:pull"',
            },
          },
    );
    const error = await failure(reader.resolve(image, { pullSecret: credentials }));
    expect(error.code).toBe('REGISTRY_UNAUTHORIZED');
    expect(error.message).toContain('pull secret entry "registry.example"');
    expect(seen[1]?.url.search).toBe('?service=s&scope=repository%3Ateam%2Fapp%3Apull');
    expect(seen[1]?.headers['authorization']).toBe(`Basic ${Buffer.from('me:top-secret').toString('base64')}`);
  });

  it('When the caller gives up, it should end at once', async () => {
    const { client: reader } = client(() => ({ fails: new Error('slow') }));
    const error = await failure(reader.resolve(image, { signal: AbortSignal.abort(new Error('the caller left')) }));
    expect(error.message).toContain('the caller left');
  });
});
