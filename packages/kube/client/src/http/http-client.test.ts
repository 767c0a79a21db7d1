import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isConflict, isNotFound, ManualClock, StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handler } from '../testing/test-server.ts';
import { testCertificate, testKey } from '../testing/test-certificate.ts';
import { answerJson, bodyOf, TestServer } from '../testing/test-server.ts';
import type { HttpClientOptions } from './http-client.ts';
import { HttpClient } from './http-client.ts';
import type { ClusterConfig } from './cluster-config.ts';

interface ConfigMap extends KubeObject {
  readonly data?: { readonly [key: string]: string };
}

const configMaps: ResourceType<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
};
const key = { namespace: 'ns', name: 'a' };
const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key, resourceVersion: '7' }, data: { x: '1' } };

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('HttpClient', () => {
  it('When an HTTP/2 server stops answering without a goodbye, it should notice by its pings and end the watch', async () => {
    const clock = new ManualClock();
    const server = await new TestServer('h2', (_request, response) => {
      response.write(`${JSON.stringify({ type: 'ADDED', object: live })}\n`);
    }).start();
    const client = new HttpClient(server.config, { clock });
    cleanups.push(
      () => server.stop(),
      () => client.close(),
    );
    const seen: string[] = [];
    const watching = (async () => {
      for await (const event of client.watch(configMaps)) seen.push(event.type);
    })();
    await vi.waitFor(() => expect(seen).toEqual(['ADDED']));
    // All in one turn, in which no answer to the ping can arrive.
    clock.advance(30_000 + 15_000);
    await expect(watching).rejects.toThrow('the server stopped answering');
  });

  it('When the server comes back without HTTP/2, it should go on with HTTP/1.1', async () => {
    const versions: string[] = [];
    const handler: Handler = (request, response) => {
      versions.push(request.httpVersion);
      answerJson(response, 200, live);
    };
    const modern = await new TestServer('h2', handler).start();
    const client = new HttpClient(modern.config);
    await client.get(configMaps, key);
    await modern.stop();
    const old = await new TestServer('h1', handler, {}, modern.port).start();
    cleanups.push(
      () => old.stop(),
      () => client.close(),
    );
    expect(await client.get(configMaps, key)).toEqual(live);
    expect(versions).toEqual(['2.0', '1.1']);
  });

  it('When certificates rotate, it should present the new one on new requests without breaking old ones', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rotation-'));
    const [file, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
    await Promise.all([writeFile(file, testCertificate), writeFile(keyFile, testKey)]);
    const clock = new ManualClock();
    const server = await new TestServer('h2', (request, response) => {
      if (request.url?.includes('watch')) response.write(`${JSON.stringify({ type: 'ADDED', object: live })}\n`);
      else answerJson(response, 200, live);
    }).start();
    const clientCertificate = { certificate: { file }, key: { file: keyFile } };
    const client = new HttpClient({ ...server.config, clientCertificate }, { clock });
    cleanups.push(
      () => rm(directory, { recursive: true, force: true }),
      () => server.stop(),
      () => client.close(),
    );
    const seen: string[] = [];
    const stopper = new AbortController();
    const watching = (async () => {
      for await (const event of client.watch(configMaps, { signal: stopper.signal })) seen.push(event.type);
    })();
    await vi.waitFor(() => expect(seen).toEqual(['ADDED']));
    await writeFile(file, `${testCertificate}\n`);
    // In steps, so that the ping of the connection is answered in between.
    clock.advance(30_000);
    await client.get(configMaps, key);
    expect(server.connections).toBe(1);
    clock.advance(31_000);
    await client.get(configMaps, key);
    expect(server.connections).toBe(2);
    stopper.abort();
    await watching;
  });

  it('When a rate is set, it should hold further requests back', async () => {
    const clock = new ManualClock();
    const server = await new TestServer('h2', (_request, response) => answerJson(response, 200, live)).start();
    const client = new HttpClient(server.config, { clock, rate: { perSecond: 10, burst: 2 } });
    cleanups.push(
      () => server.stop(),
      () => client.close(),
    );
    let answered = 0;
    const all = Array.from({ length: 4 }, async () => {
      await client.get(configMaps, key);
      answered++;
    });
    await vi.waitFor(() => expect(answered).toBe(2));
    clock.advance(100);
    await vi.waitFor(() => expect(answered).toBe(3));
    clock.advance(100);
    await Promise.all(all);
  });

  it('When a token is refused, it should read the token again and try once more', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'token-'));
    const tokenFile = join(directory, 'token');
    await writeFile(tokenFile, 'old');
    const server = await new TestServer('h2', (request, response) => {
      if (request.headers.authorization === 'Bearer new') return answerJson(response, 200, live);
      answerJson(response, 401, statusErrors.unauthorized().toStatus());
    }).start();
    const client = new HttpClient({ ...server.config, tokenFile });
    cleanups.push(
      () => rm(directory, { recursive: true, force: true }),
      () => server.stop(),
      () => client.close(),
    );
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ code: 401 });
    await writeFile(tokenFile, 'new');
    expect(await client.get(configMaps, key)).toEqual(live);
  });
});

describe.each(['h1', 'h2'] as const)('HttpClient over %s', (protocol) => {
  async function connect(
    handler: Handler,
    options: HttpClientOptions & { config?: Partial<ClusterConfig>; maxStreams?: number } = {},
  ) {
    const { maxStreams, config, ...rest } = options;
    const server = await new TestServer(
      protocol,
      handler,
      maxStreams ? { maxConcurrentStreams: maxStreams } : {},
    ).start();
    const client = new HttpClient({ ...server.config, ...config }, rest);
    cleanups.push(
      () => server.stop(),
      () => client.close(),
    );
    return { server, client };
  }

  it('When it reads and writes, it should send what the API expects and hand out frozen objects', async () => {
    const seen: string[] = [];
    const { client } = await connect(
      async (request, response) => {
        const body = await bodyOf(request);
        seen.push(
          [request.httpVersion, request.method, request.url, request.headers['content-type'] ?? '', body].join(' '),
        );
        answerJson(response, 200, live);
      },
      { config: { token: 'secret-token' } },
    );
    const version = protocol === 'h1' ? '1.1' : '2.0';
    const got = await client.get(configMaps, key);
    expect(got).toEqual(live);
    expect(Object.isFrozen(got.data)).toBe(true);
    await client.create(configMaps, { metadata: key, data: { x: '1' } }, { fieldManager: 'me', dryRun: true });
    await client.patch(configMaps, key, { type: 'merge', body: { data: { x: null } } }, { subresource: 'status' });
    await client.apply(configMaps, { metadata: key }, { fieldManager: 'me', force: true });
    await client.delete(configMaps, key, { propagationPolicy: 'Foreground', preconditions: { uid: 'u' } });
    await client.deleteCollection(configMaps, { namespace: 'ns', labelSelector: 'a in (b,c)' });
    const item = '/api/v1/namespaces/ns/configmaps/a';
    expect(seen).toEqual([
      `${version} GET ${item} application/json `,
      `${version} POST /api/v1/namespaces/ns/configmaps?fieldManager=me&dryRun=All application/json {"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"ns","name":"a"},"data":{"x":"1"}}`,
      `${version} PATCH ${item}/status application/merge-patch+json {"data":{"x":null}}`,
      `${version} PATCH ${item}?fieldManager=me&force=true application/apply-patch+yaml {"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"ns","name":"a"}}`,
      `${version} DELETE ${item} application/json {"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Foreground","preconditions":{"uid":"u"}}`,
      `${version} DELETE /api/v1/namespaces/ns/configmaps?labelSelector=a%20in%20(b%2Cc) application/json {"kind":"DeleteOptions","apiVersion":"v1"}`,
    ]);
  });

  it('When a name would leave its place in the path, it should refuse it before sending anything', async () => {
    const { client, server } = await connect((_request, response) => answerJson(response, 200, live));
    for (const name of ['..', 'a/b', '', '%2e%2e']) {
      await expect(client.get(configMaps, { namespace: 'ns', name })).rejects.toMatchObject({ code: 400 });
    }
    await expect(client.get(configMaps, { name: 'a' })).rejects.toMatchObject({ code: 400 });
    expect(server.connections).toBe(0);
  });

  it('When the server answers a Status, it should throw it as it is', async () => {
    const { client } = await connect((request, response) => {
      const error =
        request.method === 'GET' ? statusErrors.notFound(configMaps, 'a') : statusErrors.modified(configMaps, 'a');
      answerJson(response, error.code, error.toStatus());
    });
    expect(isNotFound(await client.get(configMaps, key).catch((error: unknown) => error))).toBe(true);
    expect(isConflict(await client.update(configMaps, live).catch((error: unknown) => error))).toBe(true);
  });

  it('When something that is no API server answers, it should say what came', async () => {
    const { client } = await connect((request, response) => {
      response.writeHead(request.url === '/readyz' ? 502 : 200, { 'content-type': 'text/html' });
      response.end('<html>Bad Gateway</html>');
    });
    await expect(client.raw('GET', '/readyz')).rejects.toMatchObject({
      code: 502,
      message: expect.stringContaining('Bad Gateway'),
    });
    await expect(client.get(configMaps, key)).rejects.toThrow('text/html');
  });

  it('When a list comes compressed and without kinds, it should fill both in', async () => {
    const { client } = await connect((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip');
      const { kind: _k, apiVersion: _v, ...item } = live;
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ metadata: { resourceVersion: '9' }, items: [item, item] })));
    });
    const list = await client.list(configMaps, { limit: 2 });
    expect(list.metadata.resourceVersion).toBe('9');
    expect(list.items).toEqual([live, live]);
    expect(Object.isFrozen(list.items[1]?.metadata)).toBe(true);
  });

  it('When an answer is a compression bomb or larger than allowed, it should refuse it', async () => {
    const { client } = await connect(
      (request, response) => {
        const packed = request.url?.includes('limit=1');
        response.writeHead(200, packed ? { 'content-encoding': 'gzip' } : {});
        response.end(packed ? gzipSync(Buffer.alloc(1 << 20, 32)) : Buffer.alloc(100_000, 32));
      },
      { maxResponseBytes: 50_000 },
    );
    await expect(client.list(configMaps, { limit: 1 })).rejects.toBeInstanceOf(StatusError);
    await expect(client.list(configMaps)).rejects.toThrow('larger than 50000 bytes');
  });

  it('When the server is too busy, it should wait as told and try again, writes too', async () => {
    let calls = 0;
    const { client } = await connect((_request, response) => {
      if (++calls % 2 === 1) {
        return answerJson(response, 429, statusErrors.tooManyRequests('busy', 0).toStatus(), { 'retry-after': '0' });
      }
      answerJson(response, 200, live);
    });
    await client.get(configMaps, key);
    await client.update(configMaps, live);
    expect(calls).toBe(4);
  });

  it('When the connection breaks before the answer, it should repeat reads but never writes', async () => {
    const calls: string[] = [];
    const { client, server } = await connect((request, response) => {
      calls.push(request.method ?? '');
      if (calls.length <= 2) server.cut();
      else answerJson(response, 200, live);
    });
    expect(await client.get(configMaps, key)).toEqual(live);
    calls.length = 0;
    await expect(client.update(configMaps, live)).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
    expect(calls).toEqual(['PUT']);
  });

  it('When the answer is cut in the middle, it should not pass for a whole one', async () => {
    const { client, server } = await connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"kind":"ConfigMap",');
      setImmediate(() => server.cut());
    });
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ code: 503 });
  });

  it('When nobody listens, it should say so at once', async () => {
    const { client, server } = await connect(() => {});
    await server.stop();
    await expect(client.get(configMaps, key)).rejects.toMatchObject({
      code: 503,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('When the server never answers, it should give up after the time limit or when told to', async () => {
    const { client } = await connect(() => {}, { requestTimeoutMs: 50 });
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
    const stopper = new AbortController();
    const pending = client.get(configMaps, key, { signal: stopper.signal });
    stopper.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('When the certificate is not the expected one, it should refuse the server', async () => {
    const handler: Handler = (_request, response) => answerJson(response, 200, live);
    const named = await connect(handler, { config: { tlsServerName: 'api.test' } });
    expect(await named.client.get(configMaps, key)).toEqual(live);
    const wrong = await connect(handler, { config: { tlsServerName: 'other.test' } });
    await expect(wrong.client.get(configMaps, key)).rejects.toMatchObject({ code: 503 });
    const { server } = await connect(handler);
    const unknownCa = new HttpClient({ server: server.config.server });
    await expect(unknownCa.get(configMaps, key)).rejects.toThrow('self-signed certificate');
    const careless = new HttpClient({ server: server.config.server, insecureSkipTlsVerify: true });
    expect(await careless.get(configMaps, key)).toEqual(live);
    await Promise.all([unknownCa.close(), careless.close()]);
  });

  it('When the server warns, it should tell each warning once', async () => {
    const { client } = await connect((_request, response) => {
      response.setHeader('warning', ['299 - "v1 is old"', '299 - "say \\"no\\", please"']);
      answerJson(response, 200, live);
    });
    const warnings: string[] = [];
    client.onWarning = (text) => warnings.push(text);
    await client.get(configMaps, key);
    await client.get(configMaps, key);
    expect(warnings).toEqual(['v1 is old', 'say "no", please']);
  });

  it('When many requests run at once, it should keep within the stream limit and lose none', async () => {
    let active = 0;
    let most = 0;
    let held: (() => void)[] | undefined;
    // Answers wait for one another until more are under way than one connection may carry.
    const { client, server } = await connect(
      (_request, response) => {
        most = Math.max(most, ++active);
        const answer = () => {
          active--;
          answerJson(response, 200, live);
        };
        if (!held) return answer();
        held.push(answer);
        if (held.length < 5) return;
        for (const release of held.splice(0)) release();
        held = undefined;
      },
      { maxStreams: 4 },
    );
    await client.get(configMaps, key);
    held = [];
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.get(configMaps, key)));
    expect(answers).toHaveLength(40);
    expect(server.connections).toBeLessThanOrEqual(protocol === 'h2' ? 11 : 42);
    expect(most).toBeGreaterThan(4);
  });

  it('When events come in odd pieces, it should deliver them whole and end when the server ends', async () => {
    const { client } = await connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const text = `${JSON.stringify({ type: 'ADDED', object: { ...live, data: { x: 'ü'.repeat(3) } } })}\n\n${JSON.stringify({ type: 'BOOKMARK', object: live })}\n`;
      const bytes = Buffer.from(text);
      let at = 0;
      const step = () => {
        if (at < bytes.length) {
          response.write(bytes.subarray(at, at + 7));
          at += 7;
          setImmediate(step);
        } else response.end();
      };
      step();
    });
    const events = [];
    for await (const event of client.watch(configMaps, { resourceVersion: '1' })) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(events[0]?.object.data?.['x']).toBe('üüü');
    expect(Object.isFrozen(events[0]?.object)).toBe(true);
  });

  it.each([
    [
      'an ERROR event',
      { type: 'ERROR', object: statusErrors.expired('too old').toStatus() },
      { code: 410, reason: 'Expired' },
    ],
    ['garbage', 'not json', { code: 500 }],
    ['an event without an object', { type: 'ADDED' }, { code: 500 }],
  ])('When a watch brings %s, it should throw', async (_name, line, expected) => {
    const { client } = await connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    });
    const iterate = async () => {
      for await (const _event of client.watch(configMaps)) expect.unreachable();
    };
    await expect(iterate()).rejects.toMatchObject(expected);
  });

  it('When the connection of a watch breaks, it should throw; when told to stop, it should end quietly', async () => {
    const { client, server } = await connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`${JSON.stringify({ type: 'ADDED', object: live })}\n`);
    });
    const cut = async () => {
      for await (const _event of client.watch(configMaps)) server.cut();
    };
    await expect(cut()).rejects.toMatchObject({ code: 503 });
    const stopper = new AbortController();
    for await (const _event of client.watch(configMaps, { signal: stopper.signal })) stopper.abort();
    expect(stopper.signal.aborted).toBe(true);
  });
});
