/** Approval of a certificate signing request by an object of the same name; it exists in two groups. */
import { defineKind, emptyObject, resourceOf, type ManifestOf, type ObjectOf } from '../schema/index.ts';

export const legacyCertificateSigningRequestApproval = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'CertificateSigningRequestApproval',
  plural: 'certificatesigningrequestapprovals',
  shortNames: ['csra', 'csras'],
  scope: 'Namespaced',
  description:
    'Approval of a certificate signing request, in the older API group; use the one in `certificates.hypershift.openshift.io`.',
  fields: {
    spec: emptyObject().describe('Has no settings.').unenforced(),
    status: emptyObject().describe('Nothing is reported.').optional(),
  },
});

/** A LegacyCertificateSigningRequestApproval as an API server hands it out: defaults are filled in. */
export type LegacyCertificateSigningRequestApproval = ObjectOf<typeof legacyCertificateSigningRequestApproval>;

/** A LegacyCertificateSigningRequestApproval as a client may send it. */
export type LegacyCertificateSigningRequestApprovalManifest = ManifestOf<
  typeof legacyCertificateSigningRequestApproval
>;

export const legacyCertificateSigningRequestApprovals = resourceOf(legacyCertificateSigningRequestApproval);

export const certificateSigningRequestApproval = defineKind({
  group: 'certificates.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'CertificateSigningRequestApproval',
  plural: 'certificatesigningrequestapprovals',
  shortNames: ['csra', 'csras'],
  scope: 'Namespaced',
  description:
    'Approves the certificate signing request of the same name in the namespace of the control plane, for emergency access.',
  fields: {
    spec: emptyObject().describe('Has no settings: the name says which request is approved.').unenforced(),
    status: emptyObject().describe('Nothing is reported.').optional(),
  },
});

/** A CertificateSigningRequestApproval as an API server hands it out: defaults are filled in. */
export type CertificateSigningRequestApproval = ObjectOf<typeof certificateSigningRequestApproval>;

/** A CertificateSigningRequestApproval as a client may send it. */
export type CertificateSigningRequestApprovalManifest = ManifestOf<typeof certificateSigningRequestApproval>;

export const certificateSigningRequestApprovals = resourceOf(certificateSigningRequestApproval);
