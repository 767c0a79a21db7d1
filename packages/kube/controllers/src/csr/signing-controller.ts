import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import { certificatesv1 as certificates, errorMessage, formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Controller, ReconcileContext } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import type { CertificateAuthority, CertificateRequest } from '@hypershift-ts/kube-pki';
import { certificatePem, signRequest } from '@hypershift-ts/kube-pki';
import { hasCondition, requestOf, signerProblem, signers } from './kubelet-requests.ts';

type Csr = certificatesv1.CertificateSigningRequest;

/** Who signs. One authority serves all four signers unless some have their own. */
export interface CsrSigner {
  readonly authority: CertificateAuthority;
  readonly bySigner?: { readonly [signerName: string]: CertificateAuthority };
  /** Longest lifetime, also of requests that ask for none. Default one year. */
  readonly maxSeconds?: number;
}

const year = 365 * 24 * 3600;
/** Certificates live at least this long whatever was asked for. */
const minSeconds = 600;

/** Approved, and nothing came of it yet. */
const isUnsigned = (csr: Csr) =>
  !csr.status?.certificate &&
  hasCondition(csr, 'Approved') &&
  !hasCondition(csr, 'Denied') &&
  !hasCondition(csr, 'Failed');

/** Signs approved requests of the signers that belong to Kubernetes itself. */
export function csrSigningController(signer: CsrSigner): Controller {
  const ours = new Set<string>(Object.values(signers));

  async function sign(csr: Csr, request: CertificateRequest, { clock }: ReconcileContext): Promise<string> {
    const limit = signer.maxSeconds ?? year;
    const seconds = Math.min(limit, Math.max(minSeconds, csr.spec.expirationSeconds ?? limit));
    const authority = signer.bySigner?.[csr.spec.signerName] ?? signer.authority;
    const certificate = await signRequest(authority, request, {
      usages: csr.spec.usages ?? [],
      now: clock.now(),
      validFor: seconds * 1000,
    });
    return Buffer.from(certificatePem(certificate)).toString('base64');
  }

  return controller({
    name: 'certificatesigningrequest-signing-controller',
    for: {
      type: certificates.certificatesigningrequests,
      predicate: { created: isUnsigned, updated: (_before, csr) => isUnsigned(csr), deleted: () => false },
    },
    async reconcile(key, context) {
      const { cache, client, clock } = context;
      const csr = cache.get(certificates.certificatesigningrequests, key);
      if (!csr || !ours.has(csr.spec.signerName) || !isUnsigned(csr)) return;
      const write = (status: certificatesv1.CertificateSigningRequestStatus) =>
        client.update(
          certificates.certificatesigningrequests,
          { ...csr, status: { ...csr.status, ...status } },
          { subresource: 'status' },
        );
      const fail = (message: string) => {
        const now = formatTime(clock.now());
        const condition = {
          type: 'Failed',
          status: 'True',
          reason: 'SignerValidationFailure',
          message,
          lastUpdateTime: now,
          lastTransitionTime: now,
        };
        return write({ conditions: [...(csr.status?.conditions ?? []), condition] });
      };
      let request: CertificateRequest;
      try {
        request = requestOf(csr);
      } catch (error) {
        await fail(`unable to parse csr: ${errorMessage(error)}`);
        return;
      }
      const problem = signerProblem(csr.spec.signerName, request, csr.spec.usages ?? []);
      if (problem) await fail(`Invalid CSR: ${problem}`);
      else if (!request.signatureValid) await fail('Invalid CSR: the request is not signed by its own key');
      else await write({ certificate: await sign(csr, request, context) });
    },
  });
}
