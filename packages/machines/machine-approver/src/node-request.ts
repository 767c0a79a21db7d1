import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import { type CertificateRequest, parseRequest } from '@hypershift-ts/kube-pki';

type Csr = certificatesv1.CertificateSigningRequest;

const signers = {
  client: 'kubernetes.io/kube-apiserver-client-kubelet',
  serving: 'kubernetes.io/kubelet-serving',
} as const;

/** Whose credentials a machine has before it has its own. */
export const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
export const nodeGroup = 'system:nodes';
const nodePrefix = 'system:node:';

/** A request that concerns a machine: which certificate, and for which node. */
export interface NodeRequest {
  readonly sort: 'client' | 'serving';
  readonly nodeName: string;
  readonly request: CertificateRequest;
}

const known = new WeakMap<Csr, { readonly found: NodeRequest | undefined }>();

/** What a CSR asks for, or undefined when it is not ours to judge. Reading one is remembered with the shared object. */
export function nodeRequestOf(csr: Csr): NodeRequest | undefined {
  const seen = known.get(csr);
  if (seen) return seen.found;
  const found = read(csr);
  known.set(csr, { found });
  return found;
}

function read(csr: Csr): NodeRequest | undefined {
  const { signerName, username, groups = [] } = csr.spec;
  const client = signerName === signers.client && username === bootstrapper;
  const serving = signerName === signers.serving && groups.includes(nodeGroup);
  if (!client && !serving) return undefined;
  try {
    const request = parseRequest(Buffer.from(csr.spec.request, 'base64').toString('utf8'));
    const subject = client ? request.subject.commonName : username;
    if (!subject?.startsWith(nodePrefix) || subject.length === nodePrefix.length) return undefined;
    return { sort: client ? 'client' : 'serving', nodeName: subject.slice(nodePrefix.length), request };
  } catch {
    return undefined;
  }
}

export const isDecided = ({ status }: Csr): boolean =>
  status?.conditions?.some(({ type }) => type === 'Approved' || type === 'Denied') ?? false;

/** Names of hosts compare without case and without the dot of a full name. */
export const hostName = (name: string): string => name.toLowerCase().replace(/\.$/, '');
