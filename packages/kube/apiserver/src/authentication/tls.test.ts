import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createSecureServer } from 'node:http2';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { IssuedCertificate } from '@hypershift-ts/kube-pki';
import { createAuthority, createIntermediate, issue } from '@hypershift-ts/kube-pki';
import { afterAll, describe, expect, it } from 'vitest';
import { authentication, ClientCertificates, impersonation } from './index.ts';

const now = Date.now();
const root = await createAuthority({ subject: { commonName: 'root' }, now });
const middle = await createIntermediate(root, { subject: { commonName: 'middle' }, now });
const server = await issue(root, { role: 'server', subject: { commonName: 's' }, ipAddresses: ['127.0.0.1'], now });
const admin = await issue(middle, { role: 'client', subject: { commonName: 'admin', organizations: ['a', 'b'] }, now });
const who = authentication({ requests: [new ClientCertificates(root.certificatePem, systemClock)] });

const listener = createSecureServer(
  {
    cert: server.certificatePem,
    key: server.keyPem,
    ca: root.certificatePem,
    requestCert: true,
    rejectUnauthorized: false,
    allowHTTP1: true,
  },
  (req, res) => {
    const socket = (req.httpVersion === '2.0' ? req.stream.session?.socket : req.socket) as TLSSocket;
    const peerCertificate = socket.getPeerCertificate(true);
    who.authenticate({ headers: req.headers, rawHeaders: req.rawHeaders, peerCertificate }).then(
      ({ user }) => res.end(JSON.stringify(impersonation(req, user)?.user ?? user)),
      (error: { code: number }) => {
        res.statusCode = error.code;
        res.end('{}');
      },
    );
  },
);
listener.listen(0, '127.0.0.1');
await once(listener, 'listening');
const { port } = listener.address() as AddressInfo;
afterAll(() => new Promise<void>((resolve) => listener.close(() => resolve())));

const credentials = (issued?: IssuedCertificate) => ({
  ca: root.certificatePem,
  ...(issued ? { cert: issued.certificatePem + middle.certificatePem, key: issued.keyPem } : {}),
});

async function over1(issued?: IssuedCertificate, headers = {}): Promise<{ status: number; user: object }> {
  const req = request({ host: '127.0.0.1', port, headers, agent: false, ...credentials(issued) });
  req.end();
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  return { status: res.statusCode ?? 0, user: JSON.parse(Buffer.concat(chunks).toString()) as object };
}

async function over2(issued: IssuedCertificate, headers = {}): Promise<object> {
  const session = connect(`https://127.0.0.1:${port}`, credentials(issued));
  const stream = session.request({ ':path': '/', ...headers });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  session.close();
  return JSON.parse(Buffer.concat(chunks).toString()) as object;
}

describe('over TLS', () => {
  it('When a client presents certificate and intermediate, it should be known on HTTP/1.1 and HTTP/2', async () => {
    const expected = { name: 'admin', groups: ['a', 'b', 'system:authenticated'] };
    expect(await over1(admin)).toMatchObject({ status: 200, user: expected });
    expect(await over2(admin)).toMatchObject(expected);
  });

  it('When a client presents nothing or a foreign certificate, it should get 401', async () => {
    const foreign = await createAuthority({ subject: { commonName: 'root' }, now });
    const stranger = await issue(foreign, { role: 'client', subject: { commonName: 'admin' }, now });
    expect((await over1()).status).toBe(401);
    expect((await over1(stranger)).status).toBe(401);
  });

  it('When a header is repeated, it should keep its values apart', async () => {
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': ['x, y', 'z'] };
    const expected = { name: 'jane', groups: ['x, y', 'z', 'system:authenticated'] };
    expect((await over1(admin, headers)).user).toEqual(expected);
    expect(await over2(admin, headers)).toEqual(expected);
  });
});
