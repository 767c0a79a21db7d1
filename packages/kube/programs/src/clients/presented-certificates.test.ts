import { createServer, type Server } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { createAuthority, fingerprint, issue, parseCertificates } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PresentedCertificates } from './presented-certificates.ts';

describe('PresentedCertificates', () => {
  let server: Server;
  let handshakes = 0;
  let expected = '';
  let at: { readonly server: string; readonly certificateAuthority: { readonly pem: string } };

  beforeAll(async () => {
    const now = Date.now();
    const authority = await createAuthority({ subject: { commonName: 'ca' }, now });
    const { certificatePem, keyPem } = await issue(authority, {
      subject: { commonName: 'server' },
      role: 'server',
      ipAddresses: ['127.0.0.1'],
      now,
    });
    expected = fingerprint(parseCertificates(certificatePem)[0]!.der);
    server = createServer({ cert: certificatePem, key: keyPem });
    server.on('connection', () => handshakes++);
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    at = { server: `https://127.0.0.1:${port}`, certificateAuthority: { pem: authority.certificatePem } };
  });

  afterAll(() => {
    server.close();
  });

  it('When many look at an address, one handshake should serve them for a while', async () => {
    handshakes = 0;
    const certificates = new PresentedCertificates(() => true);
    const seen = await Promise.all([1, 2, 3].map((now) => certificates.of(at, now)));
    expect(seen).toEqual([expected, expected, expected]);
    expect(await certificates.of(at, 59_000)).toBe(expected);
    expect(handshakes).toBe(1);
    await certificates.of(at, 61_000);
    expect(handshakes).toBe(2);
  });

  it('When nobody here serves that certificate any more, it should look again', async () => {
    handshakes = 0;
    let isServed = true;
    const certificates = new PresentedCertificates(() => isServed);
    await certificates.of(at, 0);
    isServed = false;
    await certificates.of(at, 1);
    expect(handshakes).toBe(2);
  });

  it('When another CA is asked for, it should not take the word of the first', async () => {
    const certificates = new PresentedCertificates(() => true);
    await certificates.of(at, 0);
    const other = await createAuthority({ subject: { commonName: 'other' }, now: Date.now() });
    const distrusting = { ...at, certificateAuthority: { pem: other.certificatePem } };
    await expect(certificates.of(distrusting, 1)).rejects.toThrow();
    await expect(certificates.of({ server: at.server }, 1)).rejects.toThrow();
    expect(await certificates.of({ server: at.server, insecureSkipTlsVerify: true }, 1)).toBe(expected);
  });
});
