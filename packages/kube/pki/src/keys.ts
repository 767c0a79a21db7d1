import type { JsonWebKey, KeyObject } from 'node:crypto';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign as cryptoSign,
  verify as cryptoVerify,
} from 'node:crypto';
import { promisify } from 'node:util';
import { bitString, contextConstructed, DerReader, nullValue, oid, sequence, tag, unsignedInteger } from './der.ts';
import { encodePem, splitPem } from './pem.ts';

const generate = promisify(generateKeyPair);
const signAsync = promisify(cryptoSign);

/** P-256 unless a consumer insists: an RSA-2048 key costs about 300 times as much CPU. */
export type KeyType = 'P-256' | 'P-384' | 'RSA-2048' | 'RSA-4096';

export interface KeyPair {
  readonly type: KeyType;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Where key pairs come from; a KeyPool is one, `generateKeys` another. */
export type KeySource = (type: KeyType) => Promise<KeyPair>;

/** A new key pair, made on the thread pool so that the event loop never waits for prime numbers. */
export async function generateKeys(type: KeyType = 'P-256'): Promise<KeyPair> {
  switch (type) {
    case 'P-256':
    case 'P-384':
      return { type, ...(await generate('ec', { namedCurve: type })) };
    case 'RSA-2048':
    case 'RSA-4096':
      return { type, ...(await generate('rsa', { modulusLength: type === 'RSA-2048' ? 2048 : 4096 })) };
    default:
      throw new Error(`unknown key type ${String(type satisfies never)}`);
  }
}

/** PEM as Go writes it and every consumer reads it: SEC 1 for EC keys, PKCS #1 for RSA. */
export function privateKeyPem(keys: Pick<KeyPair, 'privateKey'>): string {
  const { privateKey } = keys;
  return privateKey.asymmetricKeyType === 'rsa'
    ? (privateKey.export({ type: 'pkcs1', format: 'pem' }) as string)
    : privateKey.asymmetricKeyType === 'ec'
      ? (privateKey.export({ type: 'sec1', format: 'pem' }) as string)
      : (privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
}

/** `PUBLIC KEY` PEM, the form of `--service-account-key-file`. */
export function publicKeyPem(keys: Pick<KeyPair, 'publicKey'>): string {
  return encodePem('PUBLIC KEY', spkiOf(keys.publicKey));
}

function typeOf(key: KeyObject): KeyType {
  const details = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') return (details.modulusLength ?? 0) > 2048 ? 'RSA-4096' : 'RSA-2048';
  if (key.asymmetricKeyType === 'ec' && details.namedCurve === 'prime256v1') return 'P-256';
  if (key.asymmetricKeyType === 'ec' && details.namedCurve === 'secp384r1') return 'P-384';
  throw new Error(`unsupported key: ${key.asymmetricKeyType} ${details.namedCurve ?? ''}`.trim());
}

/** Reads a private key in any of the usual PEM forms and derives its public half. */
export function parsePrivateKey(pem: string): KeyPair {
  const privateKey = readPrivateKey(pem);
  return { type: typeOf(privateKey), privateKey, publicKey: createPublicKey(privateKey) };
}

/** A private key in any of the usual PEM forms. */
export function readPrivateKey(pem: string): KeyObject {
  const numbers = curveNumbers(pem);
  return numbers ? createPrivateKey({ key: numbers, format: 'jwk' }) : createPrivateKey(pem);
}

const curves = [
  { name: 'P-256', size: 32, id: oid('1.2.840.10045.3.1.7') },
  { name: 'P-384', size: 48, id: oid('1.3.132.0.34') },
] as const;

/** The numbers in what privateKeyPem wrote: OpenSSL takes several times as long to find them as to use them. */
function curveNumbers(pem: string): JsonWebKey | undefined {
  const [block, ...others] = splitPem(pem);
  if (block?.label !== 'EC PRIVATE KEY' || others.length > 0 || pem.includes('ENCRYPTED')) return undefined;
  try {
    const key = new DerReader(block.der).enter();
    key.next(tag.integer);
    const d = key.next(tag.octetString).content;
    const parameters = key.optional(contextConstructed(0))?.content;
    const point = new DerReader(key.optional(contextConstructed(1))?.content ?? Buffer.of()).next(
      tag.bitString,
    ).content;
    const curve = curves.find(({ id }) => parameters?.equals(id));
    // A zero for no unused bits, and a four for a point that is written out.
    if (!curve || d.length !== curve.size || point.length !== 2 + 2 * curve.size || point.readUInt16BE() !== 4)
      return undefined;
    const text = (bytes: Buffer) => bytes.toString('base64url');
    const [x, y] = [point.subarray(2, 2 + curve.size), point.subarray(2 + curve.size)];
    return { kty: 'EC', crv: curve.name, d: text(d), x: text(x), y: text(y) };
  } catch {
    return undefined;
  }
}

/**
 * True when the certificate or public key belongs to this private key. A private key's file may state any public key,
 * so a signature has to prove it.
 */
export function isKeyPair(publicKey: KeyObject, privateKey: KeyObject): boolean {
  if (!publicKey.equals(createPublicKey(privateKey))) return false;
  const text = Buffer.from('is this the key');
  const hash = signatureHash(privateKey);
  return cryptoVerify(hash, text, publicKey, cryptoSign(hash, text, privateKey));
}

/** Letting OpenSSL write a key down costs more than signing with it. */
const spkis = new WeakMap<KeyObject, Buffer>();

/** The SubjectPublicKeyInfo of a key. */
export function spkiOf(publicKey: KeyObject): Buffer {
  const known = spkis.get(publicKey);
  if (known) return known;
  const spki = encodedNumbers(publicKey.export({ format: 'jwk' })) ?? publicKey.export({ type: 'spki', format: 'der' });
  spkis.set(publicKey, spki);
  return spki;
}

const ecKey = oid('1.2.840.10045.2.1');
const rsaKey = sequence(oid('1.2.840.113549.1.1.1'), nullValue);

function encodedNumbers({ crv, x = '', y = '', n, e = '' }: JsonWebKey): Buffer | undefined {
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  if (n !== undefined)
    return sequence(rsaKey, bitString(sequence(unsignedInteger(bytes(n)), unsignedInteger(bytes(e)))));
  const curve = curves.find(({ name }) => name === crv);
  if (!curve) return undefined;
  return sequence(sequence(ecKey, curve.id), bitString(Buffer.concat([Buffer.of(4), bytes(x), bytes(y)])));
}

/** A key that was read from this SubjectPublicKeyInfo. */
export function knownSpki(publicKey: KeyObject, spki: Buffer): KeyObject {
  spkis.set(publicKey, spki);
  return publicKey;
}

type SignatureHash = 'sha256' | 'sha384';

/** A CA signs dozens of certificates, and OpenSSL describes its key anew whenever it is asked. */
const hashes = new WeakMap<KeyObject, SignatureHash>();

/** The hash that goes with a key in X.509 signatures. */
export function signatureHash(key: KeyObject): SignatureHash {
  const known = hashes.get(key);
  if (known) return known;
  const isLong = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'secp384r1';
  const hash = isLong ? 'sha384' : 'sha256';
  hashes.set(key, hash);
  return hash;
}

/** Signs DER; RSA goes to the thread pool because it takes about a millisecond. */
export async function signDer(data: Uint8Array, key: KeyObject): Promise<Buffer> {
  return key.asymmetricKeyType === 'rsa'
    ? signAsync(signatureHash(key), data, key)
    : cryptoSign(signatureHash(key), data, key);
}
