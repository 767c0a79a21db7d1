import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Certificate, CertificateAuthority } from '@hypershift-ts/kube-pki';
import { loadAuthority, loadIssued, parseCertificate, parseCertificateDer } from '@hypershift-ts/kube-pki';
import type { AuthoritySpec, LeafSpec } from './table/index.ts';
import { caKeys, tlsKeys } from './table/index.ts';

type Secret = corev1.Secret;

/** What is inside a Secret: something usable, nothing, or something that cannot be used. */
export type Found<T> = { readonly value: T } | { readonly missing: true } | { readonly unusable: string };

/** The Secrets and ConfigMaps of a control plane's namespace, by name. */
export interface PkiState {
  readonly secrets: ReadonlyMap<string, Secret>;
  readonly configMaps: ReadonlyMap<string, corev1.ConfigMap>;
}

export function decoded(secret: Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}

export const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

// Secrets from caches are frozen and shared, so each is read once however often its control plane is reconciled. Only
// the certificate is kept: keys are checked here and read again when something is to be signed, which is rare.
const authorities = new WeakMap<Secret, Found<Certificate>>();
const leaves = new WeakMap<Secret, Found<Certificate>>();

function remembered(
  memory: WeakMap<Secret, Found<Certificate>>,
  secret: Secret | undefined,
  read: () => Found<Certificate>,
): Found<Certificate> {
  if (!secret) return { missing: true };
  const known = memory.get(secret);
  if (known) return known;
  const found = read();
  if (Object.isFrozen(secret)) memory.set(secret, found);
  return found;
}

function load(
  certificate: string | undefined,
  key: string | undefined,
  read: (certificatePem: string, keyPem: string) => { readonly certificate: Certificate },
): Found<Certificate> {
  if (certificate === undefined || key === undefined) return { missing: true };
  try {
    // Parsed anew, so that what OpenSSL made for the check of the key is not kept with it.
    return { value: parseCertificateDer(read(certificate, key).certificate.der) };
  } catch (error) {
    return { unusable: error instanceof Error ? error.message : String(error) };
  }
}

/** The names a CA's certificate and key have in its Secret. */
export function authorityKeys(spec: AuthoritySpec): { readonly certificate: string; readonly key: string } {
  return spec.type === 'kubernetes.io/tls' ? tlsKeys : caKeys;
}

/** The CA certificate of a Secret, checked to belong to the key beside it. */
export function authorityIn(secret: Secret | undefined, spec: AuthoritySpec): Found<Certificate> {
  const { certificate, key } = authorityKeys(spec);
  return remembered(authorities, secret, () => load(decoded(secret, certificate), decoded(secret, key), loadAuthority));
}

/** The leaf certificate of a Secret, checked to belong to the key beside it. */
export function leafIn(secret: Secret | undefined, spec: LeafSpec): Found<Certificate> {
  const { certificate, key } = spec.keys ?? tlsKeys;
  return remembered(leaves, secret, () => load(decoded(secret, certificate), decoded(secret, key), loadIssued));
}

/** Takes down what a Secret holds that was written just now: its certificate and key were made together. */
export function rememberWritten(secret: Secret, of: 'authority' | 'leaf', spec: AuthoritySpec | LeafSpec): void {
  const isLeaf = of === 'leaf';
  const keys = isLeaf ? ((spec as LeafSpec).keys ?? tlsKeys) : authorityKeys(spec as AuthoritySpec);
  const certificate = decoded(secret, keys.certificate);
  if (certificate === undefined || !Object.isFrozen(secret)) return;
  (isLeaf ? leaves : authorities).set(secret, { value: parseCertificate(certificate) });
}

/** A CA with its key, ready to sign; throws when the Secret has none. */
export function signerIn(secret: Secret | undefined, spec: AuthoritySpec): CertificateAuthority {
  const { certificate, key } = authorityKeys(spec);
  return loadAuthority(decoded(secret, certificate) ?? '', decoded(secret, key) ?? '');
}
