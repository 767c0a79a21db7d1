/** Keys, CAs, certificates, requests and kubeconfigs: everything about identity that is not an HTTP request. */
export * from './authority.ts';
export {
  type Certificate,
  type CertificateTemplate,
  certificatePem,
  createCertificate,
  fingerprintOf,
  nodeCertificate,
  parseCertificate,
  parseCertificateDer,
  parseCertificates,
  type Signer,
} from './certificate.ts';
export * from './csr.ts';
export { DerError } from './der.ts';
export { type DistinguishedName, formatName } from './distinguished-name.ts';
export type { ExtendedKeyUsage, KeyUsage, SubjectAltNames } from './extensions.ts';
export { ipBytes, ipText } from './ip-address.ts';
export * from './key-pool.ts';
export {
  generateKeys,
  isKeyPair,
  type KeyPair,
  type KeySource,
  type KeyType,
  parsePrivateKey,
  privateKeyPem,
  publicKeyPem,
  readPrivateKey,
} from './keys.ts';
export { type KubeconfigDocument, kubeconfigFor, type KubeconfigOptions } from '@hypershift-ts/kube-apimachinery';
export * from './pem.ts';
export * from './rotation.ts';
export * from './sign-request.ts';
export * from './verify.ts';
