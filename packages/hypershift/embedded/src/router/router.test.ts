import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRouterConfiguration } from './configuration.ts';
import { type Router, startRouter } from './router.ts';

const passthrough = (port: number, a: number, b: number) => `defaults
  mode tcp

frontend main
  bind :::${port} v4v6
  tcp-request inspect-delay 5s
  acl is_a req_ssl_sni -i a.example.com
  use_backend a if is_a
  default_backend b

backend a
  server a a-service:${a}

backend b
  server b b-service:${b}
`;

const reencrypting = (port: number, b: number) => `frontend machines
  bind :::${port} v4v6 ssl crt /tmp/tls.pem alpn http/1.1
  default_backend inner

backend inner
  server inner b.example.com:${b} check ssl ca-file /etc/ca.crt alpn http/1.1
`;

describe('router', () => {
  let authority: Awaited<ReturnType<typeof createAuthority>>;
  let front: Awaited<ReturnType<typeof issue>>;
  const ports = new Map<string, number>();
  const closers: (() => Promise<void> | void)[] = [];

  async function backend(name: string): Promise<void> {
    const { certificatePem, keyPem } = await issued([name]);
    const server = createServer({ cert: certificatePem, key: keyPem }, (_request, response) => response.end(name));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.set(name, (server.address() as AddressInfo).port);
    closers.push(() => void server.close());
  }

  const issued = (dnsNames: string[]) =>
    issue(authority, { subject: { commonName: dnsNames[0] ?? '' }, role: 'server', dnsNames, now: Date.now() });

  async function free(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    return port;
  }

  async function start(text: string): Promise<Router> {
    const router = await startRouter(parseRouterConfiguration(text), {
      address: '127.0.0.1',
      resolve: ({ port }) => ({ host: '127.0.0.1', port }),
      certificate: async () => `${front.certificatePem}\n${front.keyPem}`,
      ca: async () => authority.certificatePem,
    });
    closers.push(() => router.close());
    return router;
  }

  const ask = (port: number, servername: string) =>
    new Promise<string>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, servername, ca: authority.certificatePem, agent: false };
      request(options, (response) => response.on('data', (data: Buffer) => resolve(data.toString())))
        .on('error', reject)
        .end();
    });

  beforeAll(async () => {
    authority = await createAuthority({ subject: { commonName: 'test' }, now: Date.now() });
    front = await issued(['front.example.com']);
    await backend('a.example.com');
    await backend('b.example.com');
  });

  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  it('When a client asks for a host, it should reach the backend of that host and see its certificate', async () => {
    const port = await free();
    await start(passthrough(port, ports.get('a.example.com')!, ports.get('b.example.com')!));
    expect(await ask(port, 'a.example.com')).toBe('a.example.com');
    expect(await ask(port, 'b.example.com')).toBe('b.example.com');
  });

  it('When TLS ends at the frontend, it should speak TLS again to a verified backend', async () => {
    const port = await free();
    await start(reencrypting(port, ports.get('b.example.com')!));
    expect(await ask(port, 'front.example.com')).toBe('b.example.com');
  });

  it('When the configuration changes, it should take it for the next connection', async () => {
    const port = await free();
    const [a, b] = [ports.get('a.example.com')!, ports.get('b.example.com')!];
    const router = await start(passthrough(port, a, b));
    router.use(parseRouterConfiguration(passthrough(port, a, b).replace('a.example.com', 'other.example.com')));
    await expect(ask(port, 'a.example.com')).rejects.toThrow(/altnames/);
  });

  it('When a rule cannot be followed, it should say which', () => {
    const text = passthrough(1, 2, 3).replace('if is_a', 'if { path /x }');
    expect(() => parseRouterConfiguration(text)).toThrow('frontend main: cannot follow "use_backend a if { path /x }"');
  });
});
