import type { CertificateAuthority } from './authority.ts';
import { clockSkewAllowance } from './authority.ts';
import type { Certificate } from './certificate.ts';
import { createCertificate } from './certificate.ts';
import type { CertificateRequest } from './csr.ts';
import type { ExtendedKeyUsage, KeyUsage } from './extensions.ts';

/** `spec.usages` of a CertificateSigningRequest, by their wire names. */
const usageNames: Record<string, { readonly key?: KeyUsage; readonly extended?: ExtendedKeyUsage }> = {
  signing: { key: 'digitalSignature' },
  'digital signature': { key: 'digitalSignature' },
  'content commitment': { key: 'contentCommitment' },
  'key encipherment': { key: 'keyEncipherment' },
  'key agreement': { key: 'keyAgreement' },
  'data encipherment': { key: 'dataEncipherment' },
  'cert sign': { key: 'keyCertSign' },
  'crl sign': { key: 'cRLSign' },
  'encipher only': { key: 'encipherOnly' },
  'decipher only': { key: 'decipherOnly' },
  any: { extended: 'any' },
  'server auth': { extended: 'serverAuth' },
  'client auth': { extended: 'clientAuth' },
  'code signing': { extended: 'codeSigning' },
  'email protection': { extended: 'emailProtection' },
  's/mime': { extended: 'emailProtection' },
  timestamping: { extended: 'timeStamping' },
  'ocsp signing': { extended: 'ocspSigning' },
};

/** Translates wire usages; unknown names are returned rather than dropped, because a signer must refuse them. */
export function parseUsages(usages: readonly string[]): {
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  readonly unknown: readonly string[];
} {
  const keyUsages = new Set<KeyUsage>();
  const extended = new Set<ExtendedKeyUsage>();
  const unknown: string[] = [];
  for (const usage of usages) {
    const known = Object.hasOwn(usageNames, usage) ? usageNames[usage] : undefined;
    if (!known) unknown.push(usage);
    if (known?.key) keyUsages.add(known.key);
    if (known?.extended) extended.add(known.extended);
  }
  return { keyUsages: [...keyUsages], extendedKeyUsages: [...extended], unknown };
}

export interface SignRequestOptions {
  /** `spec.usages` as on the wire. */
  readonly usages: readonly string[];
  readonly now: number;
  /** Milliseconds; cut to what the CA itself has left. */
  readonly validFor: number;
}

/** Signs a request: subject and names as requested, usages and lifetime as the signer decides. Never makes a CA. */
export async function signRequest(
  authority: CertificateAuthority,
  request: CertificateRequest,
  options: SignRequestOptions,
): Promise<Certificate> {
  if (!request.signatureValid) throw new Error('the request is not signed by the key it asks a certificate for');
  const { keyUsages, extendedKeyUsages, unknown } = parseUsages(options.usages);
  if (unknown.length > 0) throw new Error(`unrecognized key usages: ${unknown.join(', ')}`);
  const { dnsNames, ipAddresses, uris, emails } = request;
  return createCertificate(
    {
      subject: request.subject,
      rawSubject: request.rawSubject,
      notBefore: options.now - clockSkewAllowance,
      notAfter: Math.min(options.now + options.validFor, authority.certificate.notAfter),
      keyUsages,
      extendedKeyUsages,
      ...(dnsNames ? { dnsNames } : {}),
      ...(ipAddresses ? { ipAddresses } : {}),
      ...(uris ? { uris } : {}),
      ...(emails ? { emails } : {}),
    },
    request.publicKey,
    { signer: authority.signer },
  );
}
