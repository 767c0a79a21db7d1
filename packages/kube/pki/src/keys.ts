import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPair, sign as cryptoSign } from 'node:crypto';
import { promisify } from 'node:util';

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
  return keys.publicKey.export({ type: 'spki', format: 'pem' }) as string;
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
  const privateKey = createPrivateKey(pem);
  return { type: typeOf(privateKey), privateKey, publicKey: createPublicKey(privateKey) };
}

/** True when the certificate or public key belongs to this private key. */
export function isKeyPair(publicKey: KeyObject, privateKey: KeyObject): boolean {
  return publicKey.equals(createPublicKey(privateKey));
}

/** Writing a key down costs more than signing with it. */
const spkis = new WeakMap<KeyObject, Buffer>();

/** The SubjectPublicKeyInfo of a key. */
export function spkiOf(publicKey: KeyObject): Buffer {
  return spkis.get(publicKey) ?? publicKey.export({ type: 'spki', format: 'der' });
}

/** A key that was read from this SubjectPublicKeyInfo. */
export function knownSpki(publicKey: KeyObject, spki: Buffer): KeyObject {
  spkis.set(publicKey, spki);
  return publicKey;
}

/** The hash that goes with a key in X.509 signatures. */
export function signatureHash(key: KeyObject): 'sha256' | 'sha384' {
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'sha384' : 'sha256';
}

/** Signs DER; RSA goes to the thread pool because it takes about a millisecond. */
export async function signDer(data: Uint8Array, key: KeyObject): Promise<Buffer> {
  return key.asymmetricKeyType === 'rsa'
    ? signAsync(signatureHash(key), data, key)
    : cryptoSign(signatureHash(key), data, key);
}
