/** Revocation of every certificate of a signer. */
import { condition } from '../common/conditions.ts';
import { localObjectReference } from '../common/references.ts';
import {
  dateTime,
  defineKind,
  enumOf,
  list,
  object,
  resourceOf,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';

export const certificateRevocationRequestStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'] })
    .optional()
    .describe('Steps of the revocation, in order; done when `PreviousCertificatesRevoked` is true.'),
  previousSigner: localObjectReference.optional().describe('Secret with the signer that is being revoked.'),
  revocationTimestamp: dateTime()
    .optional()
    .describe('Certificates made before this time are no longer accepted in the end.'),
}).describe('How far the revocation has come.');

export const certificateRevocationRequest = defineKind({
  group: 'certificates.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'CertificateRevocationRequest',
  plural: 'certificaterevocationrequests',
  shortNames: ['crr', 'crrs'],
  scope: 'Namespaced',
  description: 'Takes back all emergency certificates of a signer by replacing the signer; it cannot be undone.',
  statusSubresource: true,
  fields: {
    spec: object({
      signerClass: enumOf(['customer-break-glass', 'sre-break-glass'])
        .describe('Signer whose certificates are revoked: that for customers or that for operations.')
        .immutable('signerClass is immutable'),
    })
      .describe('What to revoke.')
      .unenforced(),
    status: certificateRevocationRequestStatus.optional(),
  },
});

/** A CertificateRevocationRequest as an API server hands it out: defaults are filled in. */
export type CertificateRevocationRequest = ObjectOf<typeof certificateRevocationRequest>;

/** A CertificateRevocationRequest as a client may send it. */
export type CertificateRevocationRequestManifest = ManifestOf<typeof certificateRevocationRequest>;

export const certificateRevocationRequests = resourceOf(certificateRevocationRequest);
