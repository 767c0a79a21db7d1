import type { KeyObject } from 'node:crypto';
import { createPublicKey, verify as cryptoVerify } from 'node:crypto';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { signatureAlgorithm } from './certificate.ts';
import {
  bitString,
  contextConstructed,
  DerError,
  DerReader,
  element,
  oid,
  readOid,
  sequence,
  setOf,
  tag,
  unsignedInteger,
} from './der.ts';
import type { DistinguishedName } from './distinguished-name.ts';
import { decodeName, encodeName } from './distinguished-name.ts';
import type { Extensions, SubjectAltNames } from './extensions.ts';
import { extension, extensionOid, readExtensions, subjectAltName } from './extensions.ts';
import type { KeyPair } from './keys.ts';
import { knownSpki, signDer, spkiOf } from './keys.ts';
import { encodePem, splitPem } from './pem.ts';

/** A PKCS #10 certificate request. */
export interface CertificateRequest extends Extensions {
  readonly der: Buffer;
  readonly subject: DistinguishedName;
  readonly rawSubject: Buffer;
  readonly publicKey: KeyObject;
  /** True when the requester proved to hold the private key. */
  readonly signatureValid: boolean;
}

const extensionRequest = '1.2.840.113549.1.9.14';
/** A request larger than this is not one. */
const maxRequestBytes = 64 * 1024;

/** A request as PEM, signed by its own key. */
export async function createRequest(
  options: SubjectAltNames & { readonly subject: DistinguishedName; readonly keys: KeyPair },
): Promise<string> {
  const { keys } = options;
  const names = subjectAltName(options);
  const attributes = names
    ? [sequence(oid(extensionRequest), setOf([sequence(extension(extensionOid.subjectAltName, names))]))]
    : [];
  const info = sequence(
    unsignedInteger(Buffer.of(0)),
    encodeName(options.subject),
    spkiOf(keys.publicKey),
    element(contextConstructed(0), ...attributes),
  );
  const signature = await signDer(info, keys.privateKey);
  return encodePem('CERTIFICATE REQUEST', sequence(info, signatureAlgorithm(keys.privateKey), bitString(signature)));
}

const verifyHash: Record<string, string> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};

function signatureMatches(algorithm: string, info: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    if (algorithm === '1.3.101.112') return cryptoVerify(null, info, key, signature);
    const hash = verifyHash[algorithm];
    return hash !== undefined && cryptoVerify(hash, info, key, signature);
  } catch {
    return false;
  }
}

/**
 * Requests seen lately: door, approvers and signer read the same text one after the other, for thousands of nodes that
 * join at the same time, and a signature check is dear. Afterwards nobody asks for them again.
 */
const seen = new Map<string, { readonly request: CertificateRequest; readonly atMs: number }>();
const seenForMs = 60_000;
const maxSeenCharacters = 4 * 1024 * 1024;
let seenCharacters = 0;

/** Reads a PEM request; throws an Error that says what is wrong with it. */
export function parseRequest(pem: string, nowMs = systemClock.now()): CertificateRequest {
  if (pem.length > maxRequestBytes) throw new Error(`certificate request is larger than ${maxRequestBytes} bytes`);
  const known = seen.get(pem);
  if (known) return known.request;
  const request = Object.freeze(readRequest(pem));
  seen.set(pem, { request, atMs: nowMs });
  seenCharacters += pem.length;
  for (const [oldest, { atMs }] of seen) {
    if (seenCharacters <= maxSeenCharacters && nowMs - atMs < seenForMs) break;
    seen.delete(oldest);
    seenCharacters -= oldest.length;
  }
  return request;
}

function readRequest(pem: string): CertificateRequest {
  const block = splitPem(pem)[0];
  if (!block || (block.label !== 'CERTIFICATE REQUEST' && block.label !== 'NEW CERTIFICATE REQUEST')) {
    throw new Error('PEM block type must be CERTIFICATE REQUEST');
  }
  // A copy of its own: small buffers share memory, and one that is kept would keep all of it.
  const der = Buffer.allocUnsafeSlow(block.der.length);
  der.set(block.der);
  const outer = new DerReader(der).next(tag.sequence);
  const body = new DerReader(outer.content);
  const info = body.next(tag.sequence);
  const algorithm = readOid(body.enter().next(tag.oid).content);
  const signatureBits = body.next(tag.bitString).content;
  if (signatureBits[0] !== 0) throw new DerError('the signature is not a whole number of bytes');
  const signature = signatureBits.subarray(1);
  const fields = new DerReader(info.content);
  fields.next(tag.integer);
  const rawSubject = fields.next(tag.sequence);
  const publicKey = publicKeyFrom(fields.next(tag.sequence).raw);
  return {
    der: outer.raw,
    subject: decodeName(new DerReader(rawSubject.content)),
    rawSubject: rawSubject.raw,
    publicKey,
    signatureValid: signatureMatches(algorithm, info.raw, publicKey, signature),
    ...requestedExtensions(fields.optional(contextConstructed(0))?.content),
  };
}

function publicKeyFrom(spki: Buffer): KeyObject {
  try {
    return knownSpki(createPublicKey({ key: spki, format: 'der', type: 'spki' }), spki);
  } catch (cause) {
    throw new DerError('unusable public key in the request', { cause });
  }
}

function requestedExtensions(attributes: Buffer | undefined): Extensions {
  const reader = new DerReader(attributes ?? Buffer.alloc(0));
  while (!reader.done) {
    const attribute = reader.enter();
    if (attribute.oid() === extensionRequest) return readExtensions(attribute.enter(tag.set).enter());
  }
  return { isCa: false, unknownCritical: [] };
}
