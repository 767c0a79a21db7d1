import type { certificatesv1, corev1, ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  authorizationv1,
  certificatesv1 as certificates,
  corev1 as core,
  formatTime,
  jsonEqual,
} from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import type { CertificateRequest } from '@hypershift-ts/kube-pki';
import { hasCondition, kubeletClientProblem, kubeletServingProblem, requestOf, signers } from './kubelet-requests.ts';

type Csr = certificatesv1.CertificateSigningRequest;

export interface ApprovalOptions {
  /** Also approve serving certificates that a node asks for itself, for names and addresses its Node object has. */
  readonly kubeletServing?: boolean;
}

/** Approves what kubelets ask for, where access rules allow it. Everything else waits for a human or another controller. */
export function csrApprovingController(options: ApprovalOptions = {}): Controller {
  return controller<Csr, [corev1.Node]>({
    name: 'certificatesigningrequest-approving-controller',
    for: {
      type: certificates.certificatesigningrequests,
      predicate: { created: isOpen, updated: (_before, csr) => isOpen(csr), deleted: () => false },
    },
    watches: [
      // Only read, unless a serving certificate waits for its node to report addresses.
      {
        type: core.nodes,
        predicate: { updated: (before, next) => !jsonEqual(before.status?.addresses, next.status?.addresses) },
        map: (_node, { cache }) => (options.kubeletServing ? pendingServing(cache) : []),
      },
    ],
    async reconcile(key, { cache, client, clock }) {
      const csr = cache.get(certificates.certificatesigningrequests, key);
      if (!csr || !isOpen(csr)) return;
      const request = readable(csr);
      if (!request) return;
      const message = await approval(csr, request, options, client, cache);
      if (!message) return;
      const now = formatTime(clock.now());
      const condition = {
        type: 'Approved',
        status: 'True',
        reason: 'AutoApproved',
        message,
        lastUpdateTime: now,
        lastTransitionTime: now,
      };
      const status = { ...csr.status, conditions: [...(csr.status?.conditions ?? []), condition] };
      await client.update(certificates.certificatesigningrequests, { ...csr, status }, { subresource: 'approval' });
    },
  });
}

const isOpen = (csr: Csr) => !csr.status?.certificate && !hasCondition(csr, 'Approved') && !hasCondition(csr, 'Denied');

function readable(csr: Csr): CertificateRequest | undefined {
  try {
    return requestOf(csr);
  } catch {
    return undefined;
  }
}

async function approval(
  csr: Csr,
  request: CertificateRequest,
  options: ApprovalOptions,
  client: Client,
  cache: InformerCache,
): Promise<string | undefined> {
  const { signerName, usages = [], username } = csr.spec;
  if (signerName === signers.kubeletClient && !kubeletClientProblem(request, usages)) {
    const self = username === request.subject.commonName;
    if (self && (await mayCreate(csr, 'selfnodeclient', client))) {
      return 'Auto approving self kubelet client certificate after SubjectAccessReview.';
    }
    if (await mayCreate(csr, 'nodeclient', client)) {
      return 'Auto approving kubelet client certificate after SubjectAccessReview.';
    }
  }
  if (options.kubeletServing && signerName === signers.kubeletServing && !kubeletServingProblem(request, usages)) {
    const name = request.subject.commonName?.slice('system:node:'.length) ?? '';
    const own = username === request.subject.commonName && csr.spec.groups?.includes('system:nodes');
    const node = cache.get(core.nodes, { name });
    if (own && node && namesBelongTo(request, node))
      return 'Auto approving kubelet serving certificate of a known node.';
  }
  return undefined;
}

function namesBelongTo(
  { dnsNames = [], ipAddresses = [] }: CertificateRequest,
  { status, metadata }: corev1.Node,
): boolean {
  const known = new Set([metadata.name, ...(status?.addresses ?? []).map(({ address }) => address)]);
  return [...dnsNames, ...ipAddresses].every((name) => known.has(name));
}

async function mayCreate(csr: Csr, subresource: string, client: Client): Promise<boolean> {
  const { username, uid, groups, extra } = csr.spec;
  const review = {
    metadata: {},
    spec: {
      ...(username ? { user: username } : {}),
      ...(uid ? { uid } : {}),
      ...(groups ? { groups } : {}),
      ...(extra ? { extra } : {}),
      resourceAttributes: {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        verb: 'create',
        subresource,
        version: '*',
      },
    },
  };
  const type = authorizationv1.subjectaccessreviews as ResourceType<authorizationv1.SubjectAccessReview>;
  const answer = await client.create(type, review);
  return answer.status?.allowed ?? false;
}

function pendingServing(cache: InformerCache) {
  return cache
    .informer(certificates.certificatesigningrequests)
    .list()
    .filter((csr) => csr.spec.signerName === signers.kubeletServing && !csr.status?.conditions?.length)
    .map(({ metadata }) => ({ name: metadata.name ?? '' }));
}
