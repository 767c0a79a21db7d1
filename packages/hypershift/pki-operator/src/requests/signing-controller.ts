import { certificatesv1, corev1, formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller, matching } from '@hypershift-ts/kube-controller';
import { certificatePem, signRequest } from '@hypershift-ts/kube-pki';
import { authorityOf, encoded } from '../pem-objects.ts';
import type { RotationPeriods } from '../rotation/periods.ts';
import { classOfSignerName, signerClasses, signerObjects } from '../signer-class.ts';
import { checkRequest, hasCondition, lifetimeOf } from './validation.ts';

type Csr = certificatesv1.CertificateSigningRequest;

export interface SigningOptions {
  readonly namespace: string;
  readonly periods: RotationPeriods;
}

/** Signs approved requests with the signer of their class, or says on them why not. */
export function signingController({ namespace, periods }: SigningOptions): Controller {
  const scope = { namespace };
  const isOurs = ({ spec }: Csr) => classOfSignerName(namespace, spec.signerName) !== undefined;
  const isWaiting = (csr: Csr) =>
    hasCondition(csr, 'Approved') &&
    !hasCondition(csr, 'Denied') &&
    !hasCondition(csr, 'Failed') &&
    !csr.status?.certificate;
  const signers = new Set(signerClasses.map((signerClass) => signerObjects(signerClass).signer));

  return controller<Csr, [corev1.Secret]>({
    name: 'break-glass-signing',
    for: { type: certificatesv1.certificatesigningrequests, predicate: matching(isOurs) },
    watches: [
      {
        type: corev1.secrets,
        namespace,
        predicate: matching(({ metadata }) => signers.has(metadata.name ?? '')),
        // A request may have been approved before there was a signer.
        map: (_secret, { cache }) =>
          cache
            .list(certificatesv1.certificatesigningrequests)
            .filter((csr) => isOurs(csr) && isWaiting(csr))
            .map(({ metadata }) => ({ name: metadata.name ?? '' })),
      },
    ],
    async reconcile({ name }, { cache, client, clock, events, signal }) {
      const csr = cache.get(certificatesv1.certificatesigningrequests, { name });
      const signerClass = csr && classOfSignerName(namespace, csr.spec.signerName);
      if (!csr || !signerClass || !isWaiting(csr)) return;
      const writeStatus = (status: Csr['status']) =>
        // A patch, because that is all the operator may do to the status of requests; guarded, because lists are replaced.
        client.patch(
          certificatesv1.certificatesigningrequests,
          { name },
          { type: 'merge', body: { metadata: { resourceVersion: csr.metadata.resourceVersion }, status } },
          { subresource: 'status', signal },
        );
      const checked = checkRequest(csr, signerClass);
      const now = clock.now();
      if ('problem' in checked) {
        const time = formatTime(now);
        const failed = {
          type: 'Failed',
          status: 'True',
          reason: 'SignerValidationFailure',
          message: checked.problem,
          lastUpdateTime: time,
          lastTransitionTime: time,
        };
        await writeStatus({ conditions: [...(csr.status?.conditions ?? []), failed] });
        events.warning(csr, 'SignerValidationFailure', checked.problem);
        return;
      }
      const secret = cache.get(corev1.secrets, { namespace, name: signerObjects(signerClass).signer }, scope);
      const authority = authorityOf(secret);
      // Without a usable signer the request waits; the new one's arrival brings it back.
      if (!authority || authority.certificate.notAfter <= now) return;
      const certificate = await signRequest(authority, checked.request, {
        usages: csr.spec.usages ?? [],
        now,
        validFor: lifetimeOf(csr.spec.expirationSeconds, periods.clientValidity),
      });
      await writeStatus({ certificate: encoded(certificatePem(certificate)) });
    },
  });
}
