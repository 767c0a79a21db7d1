import type { Certificate } from './certificate.ts';
import { ipBytes } from './ip-address.ts';

/** What a certificate must satisfy to be kept. */
export interface RotationPolicy {
  readonly now: number;
  /** Renew when less than this share of the lifetime is left; a third when absent. */
  readonly remainingShare?: number;
  /** Renew at latest this long before expiry, whatever the share says. */
  readonly remainingAtLeast?: number;
  /** Names the certificate has to cover; more are fine. */
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  /** The signing CA; a certificate of another one is replaced. */
  readonly issuer?: Certificate;
}

export type RotationDecision =
  | { readonly rotate: false /** When to look again. */; readonly nextCheck: number }
  | { readonly rotate: true; readonly reason: string };

/** Decides whether a certificate is to be replaced now; a missing one always is. */
export function rotationDecision(current: Certificate | undefined, policy: RotationPolicy): RotationDecision {
  if (!current) return { rotate: true, reason: 'there is no certificate yet' };
  const mismatch = contentMismatch(current, policy);
  if (mismatch) return { rotate: true, reason: mismatch };
  const due = rotationTime(current, policy);
  if (policy.now >= current.notAfter) return { rotate: true, reason: `it expired at ${iso(current.notAfter)}` };
  if (policy.now >= due) return { rotate: true, reason: `it expires at ${iso(current.notAfter)}` };
  return { rotate: false, nextCheck: due };
}

/** The moment from which a certificate should be replaced. */
export function rotationTime(
  certificate: Pick<Certificate, 'notBefore' | 'notAfter'>,
  policy: Pick<RotationPolicy, 'remainingShare' | 'remainingAtLeast'> = {},
): number {
  const lifetime = certificate.notAfter - certificate.notBefore;
  const share = lifetime * (policy.remainingShare ?? 1 / 3);
  return certificate.notAfter - Math.max(share, policy.remainingAtLeast ?? 0);
}

const iso = (ms: number) => new Date(ms).toISOString();

function contentMismatch(current: Certificate, policy: RotationPolicy): string | undefined {
  const { issuer } = policy;
  if (issuer) {
    const sameKey = !current.authorityKeyId || !issuer.subjectKeyId || current.authorityKeyId === issuer.subjectKeyId;
    if (!sameKey || !current.rawIssuer.equals(issuer.rawSubject)) return 'its CA was replaced';
  }
  if (policy.commonName !== undefined && current.subject.commonName !== policy.commonName) {
    return `its common name is not ${policy.commonName}`;
  }
  const organizations = new Set(current.subject.organizations);
  if (policy.organizations && !sameSet(organizations, new Set(policy.organizations))) {
    return `its organizations are not ${policy.organizations.join(', ')}`;
  }
  const dnsNames = new Set(current.dnsNames);
  for (const name of policy.dnsNames ?? []) if (!dnsNames.has(name)) return `it does not cover ${name}`;
  const addresses = new Set((current.ipAddresses ?? []).map(canonicalIp));
  for (const ip of policy.ipAddresses ?? []) if (!addresses.has(canonicalIp(ip))) return `it does not cover ${ip}`;
  return undefined;
}

const canonicalIp = (address: string) => ipBytes(address)?.toString('hex') ?? address;

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}
