import { jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { parseRequest } from '@hypershift-ts/kube-pki';
import { type Authorizer, resourceAttributes } from '../../authorization/index.ts';
import type { Draft } from '../../kinds/behaviour.ts';
import type { UserInfo } from '../../request/context.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';

const clientSigner = 'kubernetes.io/kube-apiserver-client';

const about =
  (wanted: string, on: string) =>
  ({ resource, operation, subresource }: AdmissionRequest): boolean =>
    resource.group === 'certificates.k8s.io' &&
    resource.resource === 'certificatesigningrequests' &&
    operation === wanted &&
    subresource === on;

/** Approving takes the verb `approve` on the signer. */
export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: about('UPDATE', 'approval'),
    validate: (request, { user }) => requireSigner(authorizer, user, 'approve', request),
  };
}

/** Issuing, or saying that issuing failed, takes the verb `sign` on the signer. */
export function certificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: about('UPDATE', 'status'),
    async validate(request, { user }) {
      const next = (request.object!['status'] ?? {}) as Draft;
      const old = (request.oldObject!['status'] ?? {}) as Draft;
      if (next['certificate'] === old['certificate'] && jsonEqual(next['conditions'] ?? [], old['conditions'] ?? []))
        return;
      await requireSigner(authorizer, user, 'sign', request);
    },
  };
}

/** A client certificate of system:masters could never be revoked, so nobody gets one. */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles: about('CREATE', ''),
  validate({ object, resource }) {
    const { signerName, request } = (object!['spec'] ?? {}) as { signerName?: string; request?: string };
    if (signerName !== clientSigner) return;
    const { subject } = parseRequest(Buffer.from(request ?? '', 'base64').toString());
    if (subject.organizations?.includes('system:masters'))
      throw statusErrors.forbidden(
        resource,
        object!['metadata'].name ?? '',
        `use of ${clientSigner} signer with system:masters group is not allowed`,
      );
  },
};

async function requireSigner(
  authorizer: Authorizer,
  user: UserInfo,
  verb: 'approve' | 'sign',
  { resource, name, oldObject }: AdmissionRequest,
): Promise<void> {
  const signerName = (oldObject!['spec'] as { signerName?: string }).signerName ?? '';
  const slash = signerName.indexOf('/');
  for (const signer of [signerName, `${slash < 0 ? signerName : signerName.slice(0, slash)}/*`]) {
    const attributes = resourceAttributes(user, verb, {
      group: 'certificates.k8s.io',
      resource: 'signers',
      name: signer,
    });
    if ((await authorizer.authorize(attributes)).decision === 'allow') return;
  }
  throw statusErrors.forbidden(
    resource,
    name,
    `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`,
  );
}
