import type { KeyObject } from 'node:crypto';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { nodeCertificate, parseCertificateDer, splitPem } from '@hypershift-ts/kube-pki';

type SigningAlgorithm = 'RS256' | 'ES256' | 'ES384' | 'ES512';

/** A key tokens can be verified with. */
export interface VerificationKey {
  /** URL-safe base64 of the SHA-256 of the DER public key, as kube-apiserver derives it. */
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: KeyObject;
}

/** A key tokens can be signed with. */
export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const curves: Record<string, SigningAlgorithm> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

function algorithmOf(key: KeyObject): SigningAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = key.asymmetricKeyType === 'ec' ? curves[key.asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
  if (!algorithm) throw new Error('service account keys must be RSA, or EC on P-256, P-384 or P-521');
  return algorithm;
}

function verificationKey(publicKey: KeyObject): VerificationKey {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('base64url');
  return { id, algorithm: algorithmOf(publicKey), publicKey };
}

export function signingKey(privateKey: KeyObject): SigningKey {
  return { ...verificationKey(createPublicKey(privateKey)), privateKey };
}

/** `--service-account-signing-key-file` */
export function parseSigningKey(pem: string): SigningKey {
  return signingKey(createPrivateKey(pem));
}

/** `--service-account-key-file`: public keys, private keys (their public half) and certificates, any number. */
export function parseVerificationKeys(pem: string): VerificationKey[] {
  const keys: VerificationKey[] = [];
  for (const { label, der } of splitPem(pem)) {
    if (label === 'CERTIFICATE') keys.push(verificationKey(nodeCertificate(parseCertificateDer(der)).publicKey));
    else if (label === 'PUBLIC KEY')
      keys.push(verificationKey(createPublicKey({ key: der, format: 'der', type: 'spki' })));
    else if (label === 'RSA PUBLIC KEY') {
      keys.push(verificationKey(createPublicKey({ key: der, format: 'der', type: 'pkcs1' })));
    } else {
      const type = label === 'RSA PRIVATE KEY' ? 'pkcs1' : label === 'EC PRIVATE KEY' ? 'sec1' : 'pkcs8';
      if (!label.endsWith('PRIVATE KEY')) continue;
      keys.push(verificationKey(createPublicKey(createPrivateKey({ key: der, format: 'der', type }))));
    }
  }
  if (keys.length === 0) throw new Error('data does not contain any valid RSA or ECDSA public keys');
  return keys;
}
