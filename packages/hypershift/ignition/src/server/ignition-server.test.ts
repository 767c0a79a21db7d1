import { execFile } from 'node:child_process';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { type CertificateAuthority, createAuthority, type IssuedCertificate, issue } from '@hypershift-ts/kube-pki';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { decodeDataUrl } from '../spec/data-url.ts';
import { parseIgnitionText } from '../spec/parse.ts';
import {
  aTokenSecret,
  aTokenSecretInputs,
  namespace,
  payloadSource,
  writeControlPlane,
} from '../testing/control-plane.ts';
import { secretData, secretText, tokenAnnotation, tokenKey } from '../token/names.ts';
import { desiredTokenSecret } from '../token/token-secret.ts';
import { userData } from '../token/user-data.ts';
import type { RunIgnitionOptions, RunningIgnition } from './run.ts';
import { runIgnition } from './run.ts';

let cluster: EmbeddedCluster;
let client: Client;
let authority: CertificateAuthority;
let serving: IssuedCertificate;
let running: RunningIgnition[] = [];

beforeAll(async () => {
  cluster = await EmbeddedCluster.start({ controllers: false, nodes: [] });
  client = cluster.client();
  const now = Date.now();
  authority = await createAuthority({ subject: { commonName: 'ignition-root-ca' }, now });
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  serving = await issue(authority, { subject: { commonName: 'ignition-server' }, role: 'server', now, ...names });
  await writeControlPlane(client);
});

afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
  await client.deleteCollection(corev1.secrets, { namespace, labelSelector: 'hypershift-ts.io/ignition-payload' });
  for (const { metadata } of (await client.list(corev1.secrets, { namespace })).items)
    if (metadata.name?.startsWith('token-')) await client.delete(corev1.secrets, { namespace, name: metadata.name });
});

afterAll(() => cluster?.stop());

async function start(change: Partial<RunIgnitionOptions> = {}): Promise<RunningIgnition> {
  const certificate = { cert: serving.certificatePem, key: serving.keyPem };
  const source = payloadSource(client);
  const one = await runIgnition({ client, namespace, source, certificate, host: '127.0.0.1', port: 0, ...change });
  running.push(one);
  return one;
}

interface Reply {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
  readonly version: string;
}

function get(port: number, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers, ca: authority.certificatePem, agent: false as const };
    const call = request(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          body,
          version: response.httpVersion,
        }),
      );
    });
    call.on('error', reject);
    call.end();
  });
}

const bearer = (token: string) => ({ Authorization: `Bearer ${Buffer.from(token).toString('base64')}` });
const readToken = () => client.get(corev1.secrets, { namespace, name: 'token-workers-bb196408' });
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const served = (port: number, token: string) =>
  until(async () => expect((await get(port, '/ignition', bearer(token))).status).toBe(200));

describe('IgnitionServer', () => {
  it('When machines and strangers call, it should answer as the contract says', async () => {
    const { port, registry } = await start();
    await client.create(corev1.secrets, aTokenSecret());
    await served(port, 'token-1');
    const matrix: [path: string, headers: Record<string, string>, status: number, body: string][] = [
      ['/', {}, 404, '404 page not found\n'],
      ['/config/worker', bearer('token-1'), 404, '404 page not found\n'],
      ['/ignition/x', bearer('token-1'), 404, '404 page not found\n'],
      ['/ignition%20x', bearer('token-1'), 404, '404 page not found\n'],
      ['/ignition', {}, 401, 'Unauthorized\n'],
      ['/ignition', { Authorization: 'Basic dG9rZW4tMQ==' }, 401, 'Unauthorized\n'],
      ['/ignition', { Authorization: 'Bearer not base64' }, 401, 'Unauthorized\n'],
      ['/ignition', bearer('token-2'), 511, 'Token not found\n'],
      ['/healthz', {}, 200, ''],
    ];
    for (const [path, headers, status, body] of matrix) {
      expect(await get(port, path, headers), `${path} ${JSON.stringify(headers)}`).toMatchObject({ status, body });
    }
    const reply = await get(port, '/ignition-worker?x=1', bearer('token-1'));
    expect(reply).toMatchObject({ status: 200, type: 'application/json; charset=utf-8', version: '1.1' });
    expect(parseIgnitionText(reply.body).warnings).toEqual([]);
    expect(await registry.metrics()).toMatch(/ign_server_get_request\{nodePool="clusters\/workers"\} [2-9]/);
  });

  it('When the pull secret is renewed, machines should boot with the old one until the new one is there, then with that', async () => {
    const { port } = await start();
    const before = aTokenSecret();
    await client.create(corev1.secrets, before);
    await served(port, 'token-1');
    const renewed = '{"auths":{"registry.example.com":{"auth":"bmV3"}}}';
    const payload = async () => {
      const { status, body } = await get(port, '/ignition', bearer('token-1'));
      expect(status).toBe(200);
      const files = parseIgnitionText(body).config.storage?.files ?? [];
      const file = files.find(({ path }) => path === '/var/lib/kubelet/config.json');
      return decodeDataUrl(file?.contents?.source ?? '')
        .toString()
        .trimEnd();
    };
    expect(await payload()).toBe('{"auths":{}}');
    const next = desiredTokenSecret(aTokenSecretInputs({ pullSecret: Buffer.from(renewed) }), await readToken(), {
      now: Date.now(),
      token: 'unused',
    });
    await client.update(corev1.secrets, next);
    await until(async () =>
      expect(secretText(await readToken(), tokenKey.message)).toContain('pull secret does not match hash'),
    );
    expect(await payload()).toBe('{"auths":{}}');
    const copy = { namespace, name: 'pull-secret' };
    const put = (text: string) =>
      client.patch(corev1.secrets, copy, { type: 'merge', body: { data: { '.dockerconfigjson': secretData(text) } } });
    await put(renewed);
    await until(async () => expect(await payload()).toBe(renewed));
    await until(async () => expect(secretText(await readToken(), tokenKey.reason)).toBe('AsExpected'));
    await until(async () => {
      const { items } = await client.list(corev1.secrets, { namespace });
      expect(items.filter(({ metadata }) => metadata.name?.startsWith('ignition-payload-'))).toHaveLength(1);
    });
    await put('{"auths":{}}');
  });

  it('When a machine got its payload, it should tell the pool by annotation and Event, whatever its headers say', async () => {
    const { port } = await start();
    await client.create(corev1.secrets, aTokenSecret());
    await served(port, 'token-1');
    await get(port, '/ignition', { ...bearer('token-1'), NodePool: 'clusters/other', TargetConfigVersionHash: 'x' });
    await until(async () => {
      expect((await readToken()).metadata.annotations?.[tokenAnnotation.ignitionReached]).toBe('True');
    });
    await until(async () => {
      const events = await client.list(corev1.events, { namespace });
      expect(events.items.map(({ reason, involvedObject }) => [reason, involvedObject.name])).toContainEqual([
        'GetPayload',
        'token-workers-bb196408',
      ]);
    });
  });

  it('When callers hold no token, it should write no Event for them', async () => {
    const recorded: string[] = [];
    const record = (about: { metadata: { name?: string } }, reason: string) =>
      recorded.push(`${reason} ${about.metadata.name}`);
    const { port, registry } = await start({ events: { normal: record, warning: record } });
    const aim = { NodePool: 'clusters/workers', TargetConfigVersionHash: 'bb196408' };
    await get(port, '/ignition', aim);
    await get(port, '/ignition', { ...aim, Authorization: 'Bearer x' });
    await get(port, '/ignition', { ...aim, ...bearer('guess') });
    expect(recorded).toEqual([]);
    expect(await registry.metrics()).toContain('ign_server_refused_requests_total{reason="unknown-token"} 1');
  });

  it('When somebody guesses tokens quickly, it should put them off but still serve machines', async () => {
    const { port } = await start({ refusalsPerSecond: 2 });
    await client.create(corev1.secrets, aTokenSecret());
    await until(async () => expect(secretText(await readToken(), tokenKey.reason)).toBe('AsExpected'));
    const statuses = await Promise.all(Array.from({ length: 12 }, () => get(port, '/ignition', bearer('guess'))));
    expect(statuses.map(({ status }) => status)).toContain(503);
    await served(port, 'token-1');
  });

  it('When a client speaks old TLS or HTTP/2, it should refuse the one and answer HTTP/1.1 to the other', async () => {
    const { port } = await start();
    const ca = authority.certificatePem;
    const handshake = (options: object) =>
      new Promise<string>((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, ca, ...options }, () => {
          resolve(String(socket.alpnProtocol));
          socket.destroy();
        });
        socket.on('error', () => resolve('refused'));
      });
    expect(await handshake({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })).toBe('refused');
    expect(await handshake({ maxVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'] })).toBe('http/1.1');
  });

  it('When the token is rotated, it should serve the old and the new one, and keep the user informed', async () => {
    const eightHoursAgo = Date.now() - 8 * 60 * 60 * 1000;
    await client.create(corev1.secrets, aTokenSecret({}, { now: eightHoursAgo, token: 'token-1' }));
    const { port } = await start({ newToken: () => 'token-2' });
    await served(port, 'token-2');
    expect((await get(port, '/ignition', bearer('token-1'))).status).toBe(200);
    const secret = await readToken();
    expect([secretText(secret, 'token'), secretText(secret, 'old_token')]).toEqual(['token-2', 'token-1']);
    expect(secretText(secret, tokenKey.message)).toBe('Payload generated successfully');
  });

  it('When two replicas run, they should serve the same bytes from one stored payload', async () => {
    const [first, second] = [await start(), await start()];
    await client.create(corev1.secrets, aTokenSecret());
    await served(first.port, 'token-1');
    await served(second.port, 'token-1');
    const bodies = await Promise.all([first, second].map(({ port }) => get(port, '/ignition', bearer('token-1'))));
    expect(bodies[0]?.body).toBe(bodies[1]?.body);
    const stored = await client.list(corev1.secrets, { namespace, labelSelector: 'hypershift-ts.io/ignition-payload' });
    expect(stored.items).toHaveLength(1);
    expect(stored.items[0]?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['token-workers-bb196408']);
  });

  it('When the pull secret changed since, a new replica should still serve what the rollout booted with', async () => {
    const first = await start();
    await client.create(corev1.secrets, aTokenSecret());
    await served(first.port, 'token-1');
    const { body } = await get(first.port, '/ignition', bearer('token-1'));
    const key = { namespace, name: 'pull-secret' };
    const replace = (text: string) => {
      const data = { '.dockerconfigjson': Buffer.from(text).toString('base64') };
      return client.patch(corev1.secrets, key, { type: 'merge', body: { data } });
    };
    await replace('{"auths":{"new":{}}}');
    const second = await start();
    await served(second.port, 'token-1');
    expect((await get(second.port, '/ignition', bearer('token-1'))).body).toBe(body);
    await replace('{"auths":{}}');
  });

  it('When nothing changed, it should write nothing', async () => {
    const { port } = await start();
    await client.create(corev1.secrets, aTokenSecret());
    await served(port, 'token-1');
    await until(async () => {
      expect((await readToken()).metadata.annotations?.[tokenAnnotation.ignitionReached]).toBe('True');
    });
    const before = (await readToken()).metadata.resourceVersion;
    await start();
    await get(port, '/ignition', bearer('token-1'));
    await client.patch(
      corev1.secrets,
      { namespace, name: 'pull-secret' },
      { type: 'merge', body: { metadata: { labels: { a: 'b' } } } },
    );
    await served(running[1]?.port ?? 0, 'token-1');
    expect((await readToken()).metadata.resourceVersion).toBe(before);
  });

  it('When the Secret expired or is gone, it should stop serving and clean up', async () => {
    const { port } = await start();
    const secret = aTokenSecret();
    const annotations = { ...secret.metadata.annotations, [tokenAnnotation.expiration]: '2020-01-01T00:00:00Z' };
    await client.create(corev1.secrets, { ...secret, metadata: { ...secret.metadata, annotations } });
    await until(async () => {
      await expect(readToken()).rejects.toMatchObject({ reason: 'NotFound' });
    });
    expect((await get(port, '/ignition', bearer('token-1'))).status).toBe(511);
  });

  it('When the config cannot be rendered, it should say why in the Secret and go on with 511', async () => {
    const { port } = await start();
    const rawConfig = 'kind: KubeletConfig\nspec: { kubeletConfig: { clusterDomain: x } }\n';
    await client.create(corev1.secrets, aTokenSecret({ rawConfig }));
    await until(async () => {
      const secret = await readToken();
      expect(secretText(secret, tokenKey.reason)).toBe('InvalidConfig');
      expect(secretText(secret, tokenKey.message)).toBe(
        'failed to generate payload: KubeletConfiguration: clusterDomain is not allowed to be set, but contains: x',
      );
    });
    expect((await get(port, '/ignition', bearer('token-1'))).status).toBe(511);
  });

  it('When the pool upgrades in place, it should store the payload for the upgrader', async () => {
    await start();
    await client.create(corev1.secrets, aTokenSecret({ upgradeType: 'InPlace' }));
    await until(async () => expect(secretText(await readToken(), tokenKey.payload)).toMatch(/^H4sI/));
  });

  it('When the certificate is renewed, it should use the new one without a restart', async () => {
    const { port, server } = await start();
    const now = Date.now();
    const other = await createAuthority({ subject: { commonName: 'other' }, now });
    const leaf = await issue(other, { subject: { commonName: 'x' }, role: 'server', now, ipAddresses: ['127.0.0.1'] });
    server.renewCertificate({ cert: leaf.certificatePem, key: leaf.keyPem });
    await expect(get(port, '/healthz')).rejects.toThrow();
  });

  it('When a machine follows its user data, it should reach its payload with nothing else', async () => {
    const { port } = await start();
    await client.create(corev1.secrets, aTokenSecret());
    await served(port, 'token-1');
    const stub = userData({
      namespace,
      nodePool: { namespace: 'clusters', name: 'workers' },
      hash: 'bb196408',
      token: 'token-1',
      ignitionEndpoint: `127.0.0.1:${port}`,
      caCertificate: authority.certificatePem,
      proxy: {},
    });
    const { ignition } = parseIgnitionText(stub).config;
    const [remote] = ignition.config?.merge ?? [];
    const [trusted] = ignition.security?.tls?.certificateAuthorities ?? [];
    expect(decodeDataUrl(trusted?.source ?? '').toString()).toBe(authority.certificatePem);
    const headers = Object.fromEntries((remote?.httpHeaders ?? []).map(({ name, value }) => [name, value ?? '']));
    const url = new URL(remote?.source ?? '');
    expect(await get(Number(url.port), url.pathname, headers)).toMatchObject({ status: 200 });
  });

  it('When it stops, it should not wait for idle connections', async () => {
    const server = await start();
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: authority.certificatePem });
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const begun = Date.now();
    await server.stop();
    running = [];
    await closed;
    expect(Date.now() - begun).toBeLessThan(2000);
  });

  it('When a client sends its request too slowly, it should be cut off', async () => {
    const { port } = await start();
    const socket = connect({ host: '127.0.0.1', port, ca: authority.certificatePem });
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    socket.write('GET /ignition HTTP/1.1\r\nHost: x\r\n');
    const begun = Date.now();
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.once('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(Date.now() - begun).toBeLessThan(9000);
  }, 15_000);

  const curl = promisify(execFile);
  it('When curl calls, it should get the status codes of the contract', async (context) => {
    const { port } = await start();
    await client.create(corev1.secrets, aTokenSecret());
    await served(port, 'token-1');
    const status = async (path: string, ...headers: string[]) => {
      const flags = headers.flatMap((header) => ['-H', header]);
      const url = `https://127.0.0.1:${port}${path}`;
      const { stdout } = await curl('curl', ['-sk', '-o', '/dev/null', '-w', '%{http_code}', ...flags, url]);
      return stdout;
    };
    try {
      await curl('curl', ['--version']);
    } catch {
      process.stderr.write('curl is not installed: the curl matrix was skipped\n');
      context.skip();
    }
    const token = Buffer.from('token-1').toString('base64');
    expect([
      await status('/foo'),
      await status('/ignition'),
      await status('/ignition', 'Authorization: Bearer ***'),
      await status('/ignition', 'Authorization: Bearer aGVsbG8='),
      await status('/ignition', `Authorization: Bearer ${token}`),
    ]).toEqual(['404', '401', '401', '511', '200']);
  });
});
