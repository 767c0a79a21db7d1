import type { KeyObject } from 'node:crypto';
import { randomBytes, X509Certificate } from 'node:crypto';
import {
  bitString,
  contextConstructed,
  DerReader,
  element,
  nullValue,
  oid,
  sequence,
  tag,
  time,
  unsignedInteger,
} from './der.ts';
import type { DistinguishedName } from './distinguished-name.ts';
import { decodeName, encodeName } from './distinguished-name.ts';
import type { ExtendedKeyUsage, Extensions, KeyUsage, SubjectAltNames } from './extensions.ts';
import {
  authorityKeyId,
  basicConstraints,
  extendedKeyUsage,
  extension,
  extensionList,
  extensionOid,
  keyIdOf,
  keyUsage,
  readExtensions,
  subjectAltName,
  subjectKeyId,
} from './extensions.ts';
import { signatureHash, signDer, spkiOf } from './keys.ts';
import { certificatesIn, encodePem, fingerprint } from './pem.ts';

/** What a certificate says, read once. */
export interface Certificate extends Extensions {
  readonly der: Buffer;
  readonly serialNumber: string;
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** The encoded names; issuer and subject are matched byte for byte. */
  readonly rawSubject: Buffer;
  readonly rawIssuer: Buffer;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly spki: Buffer;
}

/** Everything that goes into a certificate. */
export interface CertificateTemplate extends SubjectAltNames {
  readonly subject: DistinguishedName;
  /** The subject as it stands in a request; wins over `subject`, so that signing does not rewrite a name. */
  readonly rawSubject?: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isCa?: boolean;
  readonly pathLength?: number;
  readonly keyUsages?: readonly KeyUsage[];
  readonly extendedKeyUsages?: readonly ExtendedKeyUsage[];
  /** Big-endian bytes; 16 random ones when absent. */
  readonly serialNumber?: Uint8Array;
}

/** Who signs: the CA's encoded subject, its key id and its private key. */
export interface Signer {
  readonly rawSubject: Uint8Array;
  readonly keyId: Uint8Array;
  readonly privateKey: KeyObject;
}

/** The AlgorithmIdentifier of signatures this key makes. */
export function signatureAlgorithm(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'rsa') return sequence(oid('1.2.840.113549.1.1.11'), nullValue);
  return sequence(oid(signatureHash(key) === 'sha384' ? '1.2.840.10045.4.3.3' : '1.2.840.10045.4.3.2'));
}

const serialSize = 16;
let randomness = Buffer.alloc(0);

/** Asking for randomness costs the same for one certificate as for hundreds. */
function randomSerial(): Buffer {
  if (randomness.length < serialSize) randomness = randomBytes(256 * serialSize);
  const bytes = Buffer.from(randomness.subarray(0, serialSize));
  randomness = randomness.subarray(serialSize);
  // Positive and never zero, within RFC 5280's 20 octets.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function templateExtensions(
  template: CertificateTemplate,
  spki: Buffer,
  signer: Signer,
  selfSigned: boolean,
): Buffer[] {
  const list: Buffer[] = [];
  if (template.keyUsages?.length) list.push(extension(extensionOid.keyUsage, keyUsage(template.keyUsages), true));
  if (template.extendedKeyUsages?.length) {
    list.push(extension(extensionOid.extendedKeyUsage, extendedKeyUsage(template.extendedKeyUsages)));
  }
  list.push(
    extension(extensionOid.basicConstraints, basicConstraints(template.isCa ?? false, template.pathLength), true),
  );
  if (template.isCa) list.push(extension(extensionOid.subjectKeyId, subjectKeyId(keyIdOf(spki))));
  if (!selfSigned) list.push(extension(extensionOid.authorityKeyId, authorityKeyId(signer.keyId)));
  const names = subjectAltName(template);
  if (names) {
    const emptySubject = !template.rawSubject && Object.keys(template.subject).length === 0;
    list.push(extension(extensionOid.subjectAltName, names, emptySubject));
  }
  return list;
}

/** Builds and signs a certificate over `publicKey`. Without a signer it signs itself with `selfKey`. */
export async function createCertificate(
  template: CertificateTemplate,
  publicKey: KeyObject,
  by: { readonly signer: Signer } | { readonly selfKey: KeyObject },
): Promise<Certificate> {
  const spki = spkiOf(publicKey);
  const rawSubject = template.rawSubject ?? encodeName(template.subject);
  const signer: Signer = 'signer' in by ? by.signer : { rawSubject, keyId: keyIdOf(spki), privateKey: by.selfKey };
  const algorithm = signatureAlgorithm(signer.privateKey);
  const tbs = sequence(
    element(contextConstructed(0), unsignedInteger(Buffer.of(2))),
    unsignedInteger(template.serialNumber ?? randomSerial()),
    algorithm,
    signer.rawSubject,
    sequence(time(template.notBefore), time(template.notAfter)),
    rawSubject,
    spki,
    extensionList(templateExtensions(template, spki, signer, !('signer' in by))),
  );
  const signature = await signDer(tbs, signer.privateKey);
  return parseCertificateDer(sequence(tbs, algorithm, bitString(signature)));
}

/** Reads a DER certificate; throws DerError on anything that is not one. Signatures are not checked here. */
export function parseCertificateDer(input: Uint8Array): Certificate {
  const outer = new DerReader(input).next(tag.sequence);
  const tbs = new DerReader(outer.content).enter();
  tbs.optional(contextConstructed(0));
  const serial = tbs.next(tag.integer).content;
  tbs.next(tag.sequence);
  const rawIssuer = tbs.next(tag.sequence);
  const validity = tbs.enter();
  const notBefore = validity.time();
  const notAfter = validity.time();
  const rawSubject = tbs.next(tag.sequence);
  const spki = tbs.next(tag.sequence).raw;
  tbs.optional(0x81);
  tbs.optional(0x82);
  const wrapped = tbs.optional(contextConstructed(3));
  const extensions = wrapped
    ? readExtensions(new DerReader(wrapped.content).enter())
    : { isCa: false, unknownCritical: [] };
  return {
    der: outer.raw,
    serialNumber: serial.toString('hex').replace(/^0+(?=.)/, ''),
    subject: decodeName(new DerReader(rawSubject.content)),
    issuer: decodeName(new DerReader(rawIssuer.content)),
    rawSubject: rawSubject.raw,
    rawIssuer: rawIssuer.raw,
    notBefore,
    notAfter,
    spki,
    ...extensions,
  };
}

/** Every certificate of a PEM text. */
export function parseCertificates(pem: string): Certificate[] {
  return certificatesIn(pem).map(parseCertificateDer);
}

/** The first certificate of a PEM text: the leaf of a chain file. */
export function parseCertificate(pem: string): Certificate {
  const first = certificatesIn(pem)[0];
  if (!first) throw new Error('no CERTIFICATE block in the PEM text');
  return parseCertificateDer(first);
}

export function certificatePem(certificate: Pick<Certificate, 'der'>): string {
  return encodePem('CERTIFICATE', certificate.der);
}

export function fingerprintOf(certificate: Pick<Certificate, 'der'>): string {
  return fingerprint(certificate.der);
}

const nodeCertificates = new WeakMap<Certificate, X509Certificate>();

/** Node's view of the certificate: for signature checks and public keys. Made on first use. */
export function nodeCertificate(certificate: Certificate): X509Certificate {
  let node = nodeCertificates.get(certificate);
  if (!node) {
    node = new X509Certificate(certificate.der);
    nodeCertificates.set(certificate, node);
  }
  return node;
}
