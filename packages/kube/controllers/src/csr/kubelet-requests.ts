import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import type { CertificateRequest } from '@hypershift-ts/kube-pki';
import { parseRequest } from '@hypershift-ts/kube-pki';

type Csr = certificatesv1.CertificateSigningRequest;

export const signers = {
  apiServerClient: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
  legacyUnknown: 'kubernetes.io/legacy-unknown',
} as const;

const nodeGroup = 'system:nodes';
const nodePrefix = 'system:node:';

/** The PKCS #10 request inside; `spec.request` is base64 of PEM. */
export function requestOf({ spec }: Csr): CertificateRequest {
  return parseRequest(Buffer.from(spec.request, 'base64').toString('utf8'));
}

function usagesProblem(
  usages: readonly string[],
  required: readonly string[],
  optional: readonly string[],
): string | undefined {
  const extra = usages.filter((usage) => !required.includes(usage) && !optional.includes(usage));
  const missing = required.filter((usage) => !usages.includes(usage));
  if (extra.length + missing.length === 0) return undefined;
  return `usages did not match [${[...required, ...optional].join(' ')}]`;
}

function nodeSubjectProblem({ subject }: CertificateRequest): string | undefined {
  const organizations = subject.organizations ?? [];
  if (organizations.length !== 1 || organizations[0] !== nodeGroup) {
    return `subject organization is not ${nodeGroup}`;
  }
  return subject.commonName?.startsWith(nodePrefix)
    ? undefined
    : `subject common name does not begin with ${nodePrefix}`;
}

const has = (names: readonly unknown[] | undefined) => (names?.length ?? 0) > 0;

/** Why this is not a request for a kubelet's client certificate. */
export function kubeletClientProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emails, ipAddresses, uris } = request;
  if (has(dnsNames)) return 'DNS subjectAltNames are not allowed';
  if (has(emails)) return 'Email subjectAltNames are not allowed';
  if (has(ipAddresses)) return 'IP subjectAltNames are not allowed';
  if (has(uris)) return 'URI subjectAltNames are not allowed';
  return (
    nodeSubjectProblem(request) ?? usagesProblem(usages, ['digital signature', 'client auth'], ['key encipherment'])
  );
}

/** Why this is not a request for a kubelet's serving certificate. */
export function kubeletServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emails, ipAddresses, uris } = request;
  if (!has(dnsNames) && !has(ipAddresses)) return 'DNS or IP subjectAltName is required';
  if (has(emails)) return 'Email subjectAltNames are not allowed';
  if (has(uris)) return 'URI subjectAltNames are not allowed';
  return (
    nodeSubjectProblem(request) ?? usagesProblem(usages, ['digital signature', 'server auth'], ['key encipherment'])
  );
}

/** Why a signer refuses a request. */
export function signerProblem(
  signer: string,
  request: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  switch (signer) {
    case signers.kubeletClient:
      return kubeletClientProblem(request, usages);
    case signers.kubeletServing:
      return kubeletServingProblem(request, usages);
    case signers.apiServerClient:
      return usagesProblem(usages, ['client auth'], ['digital signature', 'key encipherment']);
    default:
      return undefined;
  }
}

export function hasCondition({ status }: Csr, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}
