import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import * as peculiar from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from './index.ts';
import {
  createAuthority,
  createIntermediate,
  createRequest,
  day,
  generateKeys,
  isKeyPair,
  issue,
  loadAuthority,
  loadIssued,
  nodeCertificate,
  parseCertificate,
  parsePrivateKey,
  parseRequest,
  privateKeyPem,
  publicKeyPem,
  signRequest,
  trustPool,
  trustPoolFromPem,
  verifyCertificate,
} from './index.ts';

const now = Date.UTC(2026, 0, 1);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) process.stderr.write('openssl not found: its view of our certificates is not checked\n');

let ca: CertificateAuthority;
beforeAll(async () => {
  ca = await createAuthority({ subject: { commonName: 'root-ca', organizationalUnits: ['openshift'] }, now });
});

describe('issue', () => {
  it('When a server certificate is issued, it should carry names, usage and key ids that Node reads alike', async () => {
    const server = await issue(ca, {
      role: 'server',
      subject: { commonName: 'kube-apiserver' },
      dnsNames: ['kubernetes.default.svc', 'localhost'],
      ipAddresses: ['127.0.0.1', '::1', '2001:db8::1:0:0:1'],
      now,
    });
    const node = nodeCertificate(server.certificate);
    expect(node.subjectAltName).toBe(
      'DNS:kubernetes.default.svc, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:1:0:0:1',
    );
    expect(server.certificate.ipAddresses).toEqual(['127.0.0.1', '::1', '2001:db8::1:0:0:1']);
    expect(node.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(server.certificate.extendedKeyUsages).toEqual(['serverAuth']);
    expect(node.checkIssued(nodeCertificate(ca.certificate))).toBe(true);
    expect(node.ca).toBe(false);
    expect(node.checkHost('localhost')).toBe('localhost');
    expect(node.checkIP('::1')).toBe('::1');
    expect(Date.parse(node.validTo)).toBe(server.certificate.notAfter);
    expect(server.certificate.serialNumber.toUpperCase()).toBe(node.serialNumber);
  });

  it('When a client certificate is issued, it should keep every group', async () => {
    const client = await issue(ca, {
      role: 'client',
      subject: { commonName: 'jürgen', organizations: ['system:masters', 'dev team', 'a*b'] },
      now,
    });
    const again = parseCertificate(client.certificatePem);
    expect(again.subject.commonName).toBe('jürgen');
    expect(new Set(again.subject.organizations)).toEqual(new Set(['system:masters', 'dev team', 'a*b']));
    expect(new peculiar.X509Certificate(client.certificatePem).subjectName.getField('CN')).toEqual(['jürgen']);
  });

  it('When the CA ends sooner than the leaf would, it should end the leaf with the CA', async () => {
    const short = await createAuthority({ subject: { commonName: 'short' }, now, validFor: day });
    const leaf = await issue(short, { role: 'peer', subject: { commonName: 'etcd' }, now });
    expect(leaf.certificate.notAfter).toBe(short.certificate.notAfter);
    expect(leaf.certificate.extendedKeyUsages).toEqual(['serverAuth', 'clientAuth']);
  });

  it('When a certificate outlives 2049, it should still round-trip its dates', async () => {
    const long = await createAuthority({ subject: { commonName: 'long' }, now, validFor: 100 * 365 * day });
    expect(Date.parse(nodeCertificate(long.certificate).validTo)).toBe(now + 100 * 365 * day);
  });

  it.each(['P-384', 'RSA-2048'] as const)('When the CA key is %s, it should sign verifiably', async (keyType) => {
    const other = await createAuthority({ subject: { commonName: keyType }, keyType, now });
    const leaf = await issue(other, { role: 'client', subject: { commonName: 'x' }, now });
    expect(verifyCertificate(leaf.certificate, { roots: trustPool([other.certificate]), now }).ok).toBe(true);
    expect(loadAuthority(other.certificatePem, other.keyPem).keys.type).toBe(keyType);
  });
});

describe('loading', () => {
  it('When key and certificate do not belong together, it should refuse them', async () => {
    const other = await createAuthority({ subject: { commonName: 'other' }, now });
    expect(() => loadIssued(ca.certificatePem, other.keyPem)).toThrow('does not belong');
    const leaf = await issue(ca, { role: 'client', subject: { commonName: 'x' }, now });
    expect(() => loadAuthority(leaf.certificatePem, leaf.keyPem)).toThrow('not a CA');
  });
});

describe('certificate requests', () => {
  it('When a request is made and signed, it should give what was asked for', async () => {
    const keys = await generateKeys();
    const pem = await createRequest({
      subject: { commonName: 'system:node:worker-0', organizations: ['system:nodes'] },
      dnsNames: ['worker-0'],
      ipAddresses: ['10.0.0.7'],
      keys,
    });
    const request = parseRequest(pem);
    expect(request).toMatchObject({
      signatureValid: true,
      subject: { commonName: 'system:node:worker-0', organizations: ['system:nodes'] },
      dnsNames: ['worker-0'],
      ipAddresses: ['10.0.0.7'],
    });
    expect(await new peculiar.Pkcs10CertificateRequest(pem).verify()).toBe(true);
    const signed = await signRequest(ca, request, { usages: ['digital signature', 'server auth'], now, validFor: day });
    expect(signed).toMatchObject({
      extendedKeyUsages: ['serverAuth'],
      keyUsages: ['digitalSignature'],
      isCa: false,
      dnsNames: ['worker-0'],
      notAfter: now + day,
    });
  });

  it('When another library made the request, it should read it', async () => {
    const algorithm = {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const made = await peculiar.Pkcs10CertificateRequestGenerator.create({
      name: 'CN=foreign, O=a, O=b',
      keys,
      signingAlgorithm: algorithm,
      extensions: [new peculiar.SubjectAlternativeNameExtension([{ type: 'dns', value: 'x.example' }])],
    });
    expect(parseRequest(made.toString('pem'))).toMatchObject({
      signatureValid: true,
      subject: { commonName: 'foreign', organizations: ['a', 'b'] },
      dnsNames: ['x.example'],
    });
  });

  it('When a request is read again within a minute, it should not be read anew; when later, nothing of it should be left', async () => {
    const keys = await generateKeys();
    const [one, other] = await Promise.all(
      ['one', 'other'].map((commonName) => createRequest({ subject: { commonName }, keys })),
    );
    const begin = Date.now() + day;
    const request = parseRequest(one!, begin);
    expect(parseRequest(one!, begin + 59_000)).toBe(request);
    parseRequest(other!, begin + 60_000);
    expect(parseRequest(one!, begin + 60_000)).not.toBe(request);
  });

  it('When the signature was tampered with, it should say so and refuse to sign', async () => {
    const pem = await createRequest({ subject: { commonName: 'x' }, keys: await generateKeys() });
    const der = Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64');
    der[der.indexOf('x', 20)] = 'y'.charCodeAt(0);
    const bad = parseRequest(
      `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
    );
    expect(bad.signatureValid).toBe(false);
    await expect(signRequest(ca, bad, { usages: ['client auth'], now, validFor: day })).rejects.toThrow('not signed');
  });

  it.each([
    ['nothing', ''],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['noise', '-----BEGIN CERTIFICATE REQUEST-----\nMIIBAAAA\n-----END CERTIFICATE REQUEST-----'],
    ['too much', 'x'.repeat(70_000)],
  ])('When the input is %s, it should throw instead of guessing', (_, pem) => {
    expect(() => parseRequest(pem)).toThrow();
  });

  it('When bytes of a good request are flipped, it should throw or read on, never hang', async () => {
    const pem = await createRequest({ subject: { commonName: 'x' }, dnsNames: ['a'], keys: await generateKeys() });
    const der = Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64');
    const outcomes = new Set<string>();
    for (let i = 0; i < der.length; i++) {
      const bad = Buffer.from(der);
      bad[i] = (bad[i] ?? 0) ^ 0xff;
      try {
        const read = parseRequest(
          `-----BEGIN CERTIFICATE REQUEST-----\n${bad.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`,
        );
        outcomes.add(read.signatureValid ? 'valid' : 'invalid');
      } catch {
        outcomes.add('thrown');
      }
    }
    expect(outcomes).toEqual(new Set(['invalid', 'thrown']));
  });
});

describe('verifyCertificate', () => {
  it('When the chain passes an intermediate, it should be found', async () => {
    const middle = await createIntermediate(ca, { subject: { commonName: 'middle' }, now, pathLength: 0 });
    const leaf = await issue(middle, { role: 'client', subject: { commonName: 'x' }, now });
    const roots = trustPoolFromPem(ca.certificatePem);
    expect(verifyCertificate(leaf.certificate, { roots, now })).toMatchObject({
      ok: false,
      failure: 'unknown-authority',
    });
    const result = verifyCertificate(leaf.certificate, {
      roots,
      intermediates: [middle.certificate],
      now,
      usage: 'clientAuth',
    });
    expect(result.ok && result.chain.length).toBe(3);
  });

  it('When an intermediate may not have CAs below it, it should refuse a deeper chain', async () => {
    const middle = await createIntermediate(ca, { subject: { commonName: 'middle' }, now, pathLength: 0 });
    const deeper = await createIntermediate(middle, { subject: { commonName: 'deeper' }, now });
    const leaf = await issue(deeper, { role: 'client', subject: { commonName: 'x' }, now });
    expect(
      verifyCertificate(leaf.certificate, {
        roots: trustPool([ca.certificate]),
        intermediates: [middle.certificate, deeper.certificate],
        now,
      }),
    ).toMatchObject({ ok: false });
  });

  it('When a leaf signs another leaf, it should refuse', async () => {
    const leaf = await issue(ca, { role: 'client', subject: { commonName: 'x' }, now });
    const fake = await issue(
      {
        ...leaf,
        signer: { rawSubject: leaf.certificate.rawSubject, keyId: Buffer.of(1), privateKey: leaf.keys.privateKey },
      },
      { role: 'client', subject: { commonName: 'admin' }, now },
    );
    expect(
      verifyCertificate(fake.certificate, {
        roots: trustPool([ca.certificate]),
        intermediates: [leaf.certificate],
        now,
      }),
    ).toMatchObject({ ok: false, failure: 'not-a-ca' });
  });

  it('When a CA has the same name but another key, it should refuse', async () => {
    const twin = await createAuthority({ subject: { commonName: 'root-ca', organizationalUnits: ['openshift'] }, now });
    const leaf = await issue(twin, { role: 'client', subject: { commonName: 'x' }, now });
    expect(verifyCertificate(leaf.certificate, { roots: trustPool([ca.certificate]), now }).ok).toBe(false);
    expect(verifyCertificate(leaf.certificate, { roots: trustPool([ca.certificate, twin.certificate]), now }).ok).toBe(
      true,
    );
  });

  it('When time or use is wrong, it should name the failure', async () => {
    const roots = trustPool([ca.certificate]);
    const { certificate } = await issue(ca, { role: 'server', subject: { commonName: 'x' }, now, validFor: day });
    expect(verifyCertificate(certificate, { roots, now: now + 2 * day })).toMatchObject({ failure: 'expired' });
    expect(verifyCertificate(certificate, { roots, now: now - day })).toMatchObject({ failure: 'not-yet-valid' });
    expect(verifyCertificate(certificate, { roots, now, usage: 'clientAuth' })).toMatchObject({
      failure: 'wrong-usage',
    });
  });
});

describe.skipIf(!hasOpenssl)('openssl', () => {
  const dir = mkdtempSync(join(tmpdir(), 'pki-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  it('When openssl checks a server chain strictly, it should accept it', async () => {
    const real = Date.now();
    const root = await createAuthority({ subject: { commonName: 'root' }, now: real });
    const leaf = await issue(root, {
      role: 'server',
      subject: { commonName: 's' },
      dnsNames: ['a.example'],
      now: real,
    });
    writeFileSync(join(dir, 'ca.pem'), root.certificatePem);
    writeFileSync(join(dir, 'leaf.pem'), leaf.certificatePem);
    const args = [
      'verify',
      '-x509_strict',
      '-CAfile',
      join(dir, 'ca.pem'),
      '-purpose',
      'sslserver',
      '-verify_hostname',
      'a.example',
    ];
    expect(execFileSync('openssl', [...args, join(dir, 'leaf.pem')], { encoding: 'utf8' })).toContain('OK');
  });

  it('When openssl reads a request, it should find its self-signature good', async () => {
    writeFileSync(
      join(dir, 'r.pem'),
      await createRequest({ subject: { commonName: 'x' }, dnsNames: ['a'], keys: await generateKeys() }),
    );
    const result = spawnSync('openssl', ['req', '-in', join(dir, 'r.pem'), '-verify', '-noout'], { encoding: 'utf8' });
    expect(result.stderr + result.stdout).toMatch(/verify OK/i);
  });
});

describe('keys', () => {
  it.each(['P-256', 'P-384', 'RSA-2048'] as const)(
    'When a %s key is written down and read again, it should be what OpenSSL writes and reads',
    async (type) => {
      const keys = await generateKeys(type);
      expect(publicKeyPem(keys)).toBe(keys.publicKey.export({ type: 'spki', format: 'pem' }));
      const read = parsePrivateKey(privateKeyPem(keys));
      expect(read.type).toBe(type);
      expect(read.privateKey.equals(keys.privateKey)).toBe(true);
      expect(isKeyPair(keys.publicKey, read.privateKey)).toBe(true);
    },
  );

  it('When a private key states the public key of somebody else, it should not pass for theirs', async () => {
    const [victim, thief] = [await generateKeys(), await generateKeys()];
    const { x, y } = victim.publicKey.export({ format: 'jwk' });
    const { d } = thief.privateKey.export({ format: 'jwk' });
    const forged = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y } as JsonWebKey, format: 'jwk' });
    expect(isKeyPair(victim.publicKey, parsePrivateKey(privateKeyPem({ privateKey: forged })).privateKey)).toBe(false);
    expect(isKeyPair(victim.publicKey, createPrivateKey(privateKeyPem({ privateKey: forged })))).toBe(false);
  });
});
