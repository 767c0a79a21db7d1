import type { Certificate, CertificateTemplate, Signer } from './certificate.ts';
import { certificatePem, createCertificate, parseCertificate } from './certificate.ts';
import type { DistinguishedName } from './distinguished-name.ts';
import type { SubjectAltNames } from './extensions.ts';
import { keyIdOf } from './extensions.ts';
import type { KeyPair, KeySource, KeyType } from './keys.ts';
import { generateKeys, isKeyPair, parsePrivateKey, privateKeyPem } from './keys.ts';
import { nodeCertificate } from './certificate.ts';

export const day = 24 * 60 * 60 * 1000;
/** Certificates start a little in the past, because clocks of other machines may lag. */
export const clockSkewAllowance = 5 * 60 * 1000;

/** A certificate with its key, as PEM: the contents of a TLS Secret. */
export interface IssuedCertificate {
  readonly certificate: Certificate;
  readonly keys: KeyPair;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A CA that can sign. */
export interface CertificateAuthority extends IssuedCertificate {
  readonly signer: Signer;
}

interface KeyOptions {
  readonly keyType?: KeyType;
  /** Where the key comes from; a KeyPool's `take` for types that are slow to make. */
  readonly keySource?: KeySource;
  /** A key to keep across renewal instead of a new one. */
  readonly keys?: KeyPair;
}

export interface AuthorityOptions extends KeyOptions {
  readonly subject: DistinguishedName;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds; ten years when absent. */
  readonly validFor?: number;
  readonly pathLength?: number;
}

async function keysFor(options: KeyOptions): Promise<KeyPair> {
  return options.keys ?? (await (options.keySource ?? generateKeys)(options.keyType ?? 'P-256'));
}

function withPem(certificate: Certificate, keys: KeyPair): IssuedCertificate {
  return { certificate, keys, certificatePem: certificatePem(certificate), keyPem: privateKeyPem(keys) };
}

function asAuthority(issued: IssuedCertificate): CertificateAuthority {
  const { certificate, keys } = issued;
  const keyId = certificate.subjectKeyId ? Buffer.from(certificate.subjectKeyId, 'hex') : keyIdOf(certificate.spki);
  return { ...issued, signer: { rawSubject: certificate.rawSubject, keyId, privateKey: keys.privateKey } };
}

function authorityTemplate(options: AuthorityOptions): CertificateTemplate {
  return {
    subject: options.subject,
    notBefore: options.now - clockSkewAllowance,
    notAfter: options.now + (options.validFor ?? 3650 * day),
    isCa: true,
    keyUsages: ['digitalSignature', 'keyEncipherment', 'keyCertSign'],
    ...(options.pathLength === undefined ? {} : { pathLength: options.pathLength }),
  };
}

/** A new self-signed CA. */
export async function createAuthority(options: AuthorityOptions): Promise<CertificateAuthority> {
  const keys = await keysFor(options);
  const by = { selfKey: keys.privateKey };
  return asAuthority(withPem(await createCertificate(authorityTemplate(options), keys.publicKey, by), keys));
}

/** A CA below another one. */
export async function createIntermediate(
  parent: CertificateAuthority,
  options: AuthorityOptions,
): Promise<CertificateAuthority> {
  const keys = await keysFor(options);
  const by = { signer: parent.signer };
  return asAuthority(withPem(await createCertificate(authorityTemplate(options), keys.publicKey, by), keys));
}

/** Reads a certificate and its key, and refuses a pair that does not belong together. */
export function loadIssued(certPem: string, keyPem: string): IssuedCertificate {
  const certificate = parseCertificate(certPem);
  const keys = parsePrivateKey(keyPem);
  if (!isKeyPair(nodeCertificate(certificate).publicKey, keys.privateKey)) {
    throw new Error('the private key does not belong to the certificate');
  }
  return { certificate, keys, certificatePem: certPem, keyPem };
}

export function loadAuthority(certPem: string, keyPem: string): CertificateAuthority {
  const issued = loadIssued(certPem, keyPem);
  if (!issued.certificate.isCa) throw new Error('the certificate is not a CA certificate');
  return asAuthority(issued);
}

export interface LeafOptions extends KeyOptions, SubjectAltNames {
  readonly subject: DistinguishedName;
  /** `server` for listeners, `client` for users, `peer` for those that are both (etcd members). */
  readonly role: 'server' | 'client' | 'peer';
  readonly now: number;
  /** Milliseconds; one year when absent. Never outlives the CA. */
  readonly validFor?: number;
}

const roleUsages = {
  server: ['serverAuth'],
  client: ['clientAuth'],
  peer: ['serverAuth', 'clientAuth'],
} as const;

/** A leaf certificate with its key. */
export async function issue(authority: CertificateAuthority, options: LeafOptions): Promise<IssuedCertificate> {
  const keys = await keysFor(options);
  const { dnsNames, ipAddresses, uris, emails } = options;
  const certificate = await createCertificate(
    {
      subject: options.subject,
      notBefore: options.now - clockSkewAllowance,
      notAfter: Math.min(options.now + (options.validFor ?? 365 * day), authority.certificate.notAfter),
      keyUsages: keys.type.startsWith('RSA') ? ['digitalSignature', 'keyEncipherment'] : ['digitalSignature'],
      extendedKeyUsages: roleUsages[options.role],
      ...(dnsNames ? { dnsNames } : {}),
      ...(ipAddresses ? { ipAddresses } : {}),
      ...(uris ? { uris } : {}),
      ...(emails ? { emails } : {}),
    },
    keys.publicKey,
    { signer: authority.signer },
  );
  return withPem(certificate, keys);
}
