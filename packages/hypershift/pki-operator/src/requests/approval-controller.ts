import type { CertificateSigningRequestApproval } from '@hypershift-ts/hypershift-api';
import { certificateSigningRequestApprovals } from '@hypershift-ts/hypershift-api';
import { certificatesv1, formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller, matching } from '@hypershift-ts/kube-controller';
import { classOfSignerName } from '../signer-class.ts';
import { hasCondition } from './validation.ts';

type Csr = certificatesv1.CertificateSigningRequest;

/** Approves requests for this control plane's signers for which an approval of the same name stands in its namespace. */
export function approvalController({ namespace }: { readonly namespace: string }): Controller {
  const scope = { namespace };
  return controller<Csr, [CertificateSigningRequestApproval]>({
    name: 'break-glass-approval',
    for: {
      type: certificatesv1.certificatesigningrequests,
      predicate: matching(({ spec }) => classOfSignerName(namespace, spec.signerName) !== undefined),
    },
    watches: [
      {
        type: certificateSigningRequestApprovals,
        namespace,
        map: ({ metadata }) => [{ name: metadata.name ?? '' }],
      },
    ],
    async reconcile({ name }, { cache, client, clock, signal }) {
      const csr = cache.get(certificatesv1.certificatesigningrequests, { name });
      if (!csr || classOfSignerName(namespace, csr.spec.signerName) === undefined) return;
      if (csr.status?.certificate || hasCondition(csr, 'Approved') || hasCondition(csr, 'Denied')) return;
      if (!cache.get(certificateSigningRequestApprovals, { namespace, name }, scope)) return;
      const now = formatTime(clock.now());
      const condition = {
        type: 'Approved',
        status: 'True',
        reason: 'ApprovalPresent',
        message: 'The requisite approval resource exists.',
        lastUpdateTime: now,
        lastTransitionTime: now,
      };
      const status = { ...csr.status, conditions: [...(csr.status?.conditions ?? []), condition] };
      const approved = { ...csr, status };
      await client.update(certificatesv1.certificatesigningrequests, approved, { subresource: 'approval', signal });
    },
  });
}
