import type { Certificate } from './certificate.ts';
import { fingerprintOf, nodeCertificate, parseCertificates } from './certificate.ts';
import { formatName } from './distinguished-name.ts';
import type { ExtendedKeyUsage } from './extensions.ts';

/** CAs indexed for fast look-up; immutable, so a reload is a new value. */
export interface TrustPool {
  readonly authorities: readonly Certificate[];
  readonly bySubject: ReadonlyMap<string, readonly Certificate[]>;
  readonly fingerprints: ReadonlySet<string>;
}

export function trustPool(certificates: readonly Certificate[]): TrustPool {
  const bySubject = new Map<string, Certificate[]>();
  for (const certificate of certificates) {
    const key = certificate.rawSubject.toString('latin1');
    const list = bySubject.get(key);
    if (list) list.push(certificate);
    else bySubject.set(key, [certificate]);
  }
  return { authorities: certificates, bySubject, fingerprints: new Set(certificates.map(fingerprintOf)) };
}

/** The certificates of a CA bundle file. */
export function trustPoolFromPem(pem: string): TrustPool {
  return trustPool(parseCertificates(pem));
}

export type VerifyFailure =
  | 'expired'
  | 'not-yet-valid'
  | 'unknown-authority'
  | 'wrong-usage'
  | 'not-a-ca'
  | 'unhandled-extension';

export type VerifyResult =
  | { readonly ok: true; readonly chain: readonly Certificate[] }
  | { readonly ok: false; readonly failure: VerifyFailure; readonly message: string };

export interface VerifyOptions {
  readonly roots: TrustPool;
  readonly intermediates?: readonly Certificate[];
  readonly now: number;
  /** The leaf must allow this use; a certificate without the extension allows every use. */
  readonly usage?: ExtendedKeyUsage;
}

// Longer chains do not occur; the bound keeps cross-signed loops and hostile bundles cheap.
const maxChainLength = 8;
const maxSignatureChecks = 50;

const failure = (reason: VerifyFailure, message: string): VerifyResult => ({ ok: false, failure: reason, message });

function timeFailure(certificate: Certificate, now: number): VerifyResult | undefined {
  const name = formatName(certificate.subject);
  if (now < certificate.notBefore) {
    return failure(
      'not-yet-valid',
      `certificate ${name} is not valid before ${new Date(certificate.notBefore).toISOString()}`,
    );
  }
  if (now > certificate.notAfter) {
    return failure('expired', `certificate ${name} expired at ${new Date(certificate.notAfter).toISOString()}`);
  }
  return undefined;
}

function allows(certificate: Certificate, usage: ExtendedKeyUsage): boolean {
  const usages = certificate.extendedKeyUsages;
  return !usages || usages.includes(usage) || usages.includes('any');
}

function mayIssue(issuer: Certificate, below: number): boolean {
  if (!issuer.isCa) return false;
  if (issuer.keyUsages && !issuer.keyUsages.includes('keyCertSign')) return false;
  return issuer.pathLength === undefined || below <= issuer.pathLength;
}

function isSignedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (!certificate.rawIssuer.equals(issuer.rawSubject)) return false;
  if (certificate.authorityKeyId && issuer.subjectKeyId && certificate.authorityKeyId !== issuer.subjectKeyId)
    return false;
  try {
    return nodeCertificate(certificate).verify(nodeCertificate(issuer).publicKey);
  } catch {
    // A key or encoding OpenSSL does not accept proves nothing.
    return false;
  }
}

/** Builds a chain from the leaf to a trusted CA, every link signed, in time, and allowed to sign. */
export function verifyCertificate(leaf: Certificate, options: VerifyOptions): VerifyResult {
  const { roots, now, usage } = options;
  const early = timeFailure(leaf, now);
  if (early) return early;
  if (leaf.unknownCritical.length > 0) {
    return failure(
      'unhandled-extension',
      `certificate has critical extensions nobody here understands: ${leaf.unknownCritical.join(', ')}`,
    );
  }
  if (usage && !allows(leaf, usage)) {
    return failure('wrong-usage', `certificate ${formatName(leaf.subject)} may not be used for ${usage}`);
  }
  if (roots.fingerprints.has(fingerprintOf(leaf))) return { ok: true, chain: [leaf] };

  let checks = 0;
  let reason: VerifyResult | undefined;
  const climb = (chain: readonly Certificate[]): readonly Certificate[] | undefined => {
    const last = chain[chain.length - 1] as Certificate;
    if (chain.length >= maxChainLength) return undefined;
    const trusted = roots.bySubject.get(last.rawIssuer.toString('latin1')) ?? [];
    const offered = (options.intermediates ?? []).filter((candidate) => last.rawIssuer.equals(candidate.rawSubject));
    for (const issuer of [...trusted, ...offered]) {
      if (chain.includes(issuer) || ++checks > maxSignatureChecks || !isSignedBy(last, issuer)) continue;
      const problem =
        timeFailure(issuer, now) ??
        (mayIssue(issuer, chain.length - 1) && issuer.unknownCritical.length === 0 && (!usage || allows(issuer, usage))
          ? undefined
          : failure('not-a-ca', `certificate ${formatName(issuer.subject)} may not issue this certificate`));
      if (problem) {
        reason ??= problem;
        continue;
      }
      const next = [...chain, issuer];
      if (trusted.includes(issuer)) return next;
      const found = climb(next);
      if (found) return found;
    }
    return undefined;
  };
  const chain = climb([leaf]);
  if (chain) return { ok: true, chain };
  return (
    reason ?? failure('unknown-authority', `certificate ${formatName(leaf.subject)} is signed by an unknown authority`)
  );
}
