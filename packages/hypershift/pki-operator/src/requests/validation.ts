import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import type { CertificateRequest } from '@hypershift-ts/kube-pki';
import { parseRequest } from '@hypershift-ts/kube-pki';
import { minimumLifetime } from '../rotation/periods.ts';
import type { SignerClass } from '../signer-class.ts';
import { commonNamePrefix } from '../signer-class.ts';

type Csr = certificatesv1.CertificateSigningRequest;

const required = 'client auth';
const allowed = new Set([required, 'digital signature', 'key encipherment']);

export type CheckedRequest = { readonly request: CertificateRequest } | { readonly problem: string };

/** The request inside a CSR, or why this signer does not sign it. */
export function checkRequest(csr: Csr, signerClass: SignerClass): CheckedRequest {
  let request: CertificateRequest;
  try {
    request = parseRequest(Buffer.from(csr.spec.request, 'base64').toString('utf8'));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { problem: `unable to parse the certificate request: ${cause}` };
  }
  const problem = requestProblem(request, csr.spec.usages ?? [], signerClass);
  return problem === undefined ? { request } : { problem };
}

function requestProblem(
  request: CertificateRequest,
  usages: readonly string[],
  signerClass: SignerClass,
): string | undefined {
  if (!request.signatureValid) return 'the certificate request is not signed by the key it asks a certificate for';
  const prefix = commonNamePrefix(signerClass);
  if (!request.subject.commonName?.startsWith(prefix)) {
    return `invalid certificate request: subject CommonName must begin with ${JSON.stringify(prefix)}`;
  }
  if (!usages.includes(required)) return `missing required usages: [${required}]`;
  const extra = usages.filter((usage) => !allowed.has(usage));
  if (extra.length > 0) return `invalid usages: [${extra.join(' ')}]`;
  const names = [request.dnsNames, request.emails, request.ipAddresses, request.uris].flatMap((list) => list ?? []);
  if (names.length > 0) {
    return `invalid certificate request: subjectAltNames are not allowed, found ${names.join(', ')}`;
  }
  return undefined;
}

/** How long a certificate lives: as asked for, within the limits; in milliseconds. */
export function lifetimeOf(expirationSeconds: number | undefined, longest: number): number {
  if (expirationSeconds === undefined) return longest;
  return Math.min(Math.max(expirationSeconds * 1000, minimumLifetime), longest);
}

/** A settled condition of a CSR. */
export function hasCondition({ status }: Csr, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}
