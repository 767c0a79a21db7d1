import { beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority, IssuedCertificate } from './index.ts';
import {
  bundle,
  bundleWithout,
  certificatesIn,
  createAuthority,
  day,
  fingerprint,
  issue,
  KeyPool,
  kubeconfigFor,
  rotationDecision,
  splitPem,
} from './index.ts';

const now = Date.UTC(2026, 0, 1);
let ca: CertificateAuthority;
let leaf: IssuedCertificate;
beforeAll(async () => {
  ca = await createAuthority({ subject: { commonName: 'ca' }, now });
  leaf = await issue(ca, {
    role: 'server',
    subject: { commonName: 'api', organizations: ['o'] },
    dnsNames: ['a', 'b'],
    ipAddresses: ['::1'],
    now,
    validFor: 30 * day,
  });
});

describe('rotationDecision', () => {
  it.each([
    ['it is young', 0, {}, false],
    ['two thirds have passed', 21 * day, {}, true],
    ['it has expired', 31 * day, {}, true],
    ['the margin is larger than a third', 5 * day, { remainingAtLeast: 28 * day }, true],
    ['the names it has are wanted', 0, { dnsNames: ['b'], ipAddresses: ['0:0:0:0:0:0:0:1'] }, false],
    ['another name is wanted', 0, { dnsNames: ['c'] }, true],
    ['another address is wanted', 0, { ipAddresses: ['10.0.0.1'] }, true],
    ['another user is wanted', 0, { commonName: 'other' }, true],
    ['other groups are wanted', 0, { organizations: ['o', 'p'] }, true],
  ] as const)('When %s, it should decide accordingly', (_, age, policy, rotate) => {
    expect(rotationDecision(leaf.certificate, { now: now + age, ...policy }).rotate).toBe(rotate);
  });

  it('When the CA got a new key under the same name, it should rotate', async () => {
    const twin = await createAuthority({ subject: { commonName: 'ca' }, now });
    expect(rotationDecision(leaf.certificate, { now, issuer: ca.certificate }).rotate).toBe(false);
    expect(rotationDecision(leaf.certificate, { now, issuer: twin.certificate })).toEqual({
      rotate: true,
      reason: 'its CA was replaced',
    });
    expect(rotationDecision(undefined, { now }).rotate).toBe(true);
  });
});

describe('PEM', () => {
  it('When bundles overlap, it should keep each certificate once and in order', async () => {
    const other = await createAuthority({ subject: { commonName: 'other' }, now });
    const joined = bundle(`# comment\n${ca.certificatePem}`, other.certificatePem, ca.certificatePem);
    expect(certificatesIn(joined).map(fingerprint)).toEqual([ca, other].map((one) => fingerprint(one.certificate.der)));
    expect(bundleWithout(joined, (der) => fingerprint(der) === fingerprint(ca.certificate.der))).toBe(
      other.certificatePem,
    );
  });

  it('When a block is broken, it should skip to the next', () => {
    const text = `-----BEGIN CERTIFICATE-----\nAAAA\n-----BEGIN X-----\nAQID\n-----END X-----\n-----BEGIN Y-----\nAQ==\n-----END Z-----\n-----BEGIN W-----\nAQ==\n-----END W-----`;
    expect(splitPem(text).map((block) => block.label)).toEqual(['X', 'W']);
  });

  it('When a hostile text has many headers, it should stay linear', () => {
    const started = performance.now();
    expect(splitPem('-----BEGIN A-----\n'.repeat(200_000))).toEqual([]);
    expect(splitPem('-----BEGIN A-----\n-----END B-----'.repeat(100_000))).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('KeyPool', () => {
  it('When keys are taken, it should hand each out once and refill', async () => {
    let made = 0;
    const pool = new KeyPool({
      size: { 'RSA-2048': 2 },
      source: (type) => Promise.resolve({ type, id: ++made } as never),
    });
    await pool.fill();
    expect(pool.count('RSA-2048')).toBe(2);
    const taken = [await pool.take('RSA-2048'), await pool.take('RSA-2048'), await pool.take('P-256')];
    expect(new Set(taken).size).toBe(3);
    await pool.fill();
    expect(pool.count('RSA-2048')).toBe(2);
    pool.close();
    expect(pool.count('RSA-2048')).toBe(0);
  });
});

describe('kubeconfigFor', () => {
  it('When given a certificate, it should embed it in base64', () => {
    const config = kubeconfigFor({
      server: 'https://127.0.0.1:6443',
      certificateAuthority: ca.certificatePem,
      credentials: leaf,
    });
    expect(Buffer.from(config.users[0]?.user['client-key-data'] ?? '', 'base64').toString()).toBe(leaf.keyPem);
    expect(config['current-context']).toBe('admin');
  });
  it('When given a token, it should hold nothing else of the credentials', () => {
    const config = kubeconfigFor({ server: 'https://x', credentials: { token: 't' }, namespace: 'n' });
    expect(config.users[0]?.user).toEqual({ token: 't' });
    expect(config.contexts[0]?.context).toEqual({ cluster: 'cluster', user: 'admin', namespace: 'n' });
  });
});
