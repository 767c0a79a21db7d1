/** Approval of a certificate signing request by an object of the same name; it exists in two groups. */
import { defineKind, emptyObject, resourceOf, type ManifestOf, type ObjectOf } from '../schema/index.ts';

export const legacyCertificateSigningRequestApproval = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'CertificateSigningRequestApproval',
  plural: 'certificatesigningrequestapprovals',
  shortNames: ['csra', 'csras'],
  scope: 'Namespaced',
  description: '',
  fields: {
    spec: emptyObject().unenforced(),
    status: emptyObject().optional(),
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
  description: '',
  fields: {
    spec: emptyObject().unenforced(),
    status: emptyObject().optional(),
  },
});

/** A CertificateSigningRequestApproval as an API server hands it out: defaults are filled in. */
export type CertificateSigningRequestApproval = ObjectOf<typeof certificateSigningRequestApproval>;

/** A CertificateSigningRequestApproval as a client may send it. */
export type CertificateSigningRequestApprovalManifest = ManifestOf<typeof certificateSigningRequestApproval>;

export const certificateSigningRequestApprovals = resourceOf(certificateSigningRequestApproval);
