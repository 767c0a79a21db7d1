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
  conditions: list(condition, { type: 'map', keys: ['type'] }).optional(),
  previousSigner: localObjectReference.optional(),
  revocationTimestamp: dateTime().optional(),
});

export const certificateRevocationRequest = defineKind({
  group: 'certificates.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'CertificateRevocationRequest',
  plural: 'certificaterevocationrequests',
  shortNames: ['crr', 'crrs'],
  scope: 'Namespaced',
  description: '',
  statusSubresource: true,
  fields: {
    spec: object({
      signerClass: enumOf(['customer-break-glass', 'sre-break-glass']).immutable('signerClass is immutable'),
    }).unenforced(),
    status: certificateRevocationRequestStatus.optional(),
  },
});

/** A CertificateRevocationRequest as an API server hands it out: defaults are filled in. */
export type CertificateRevocationRequest = ObjectOf<typeof certificateRevocationRequest>;

/** A CertificateRevocationRequest as a client may send it. */
export type CertificateRevocationRequestManifest = ManifestOf<typeof certificateRevocationRequest>;

export const certificateRevocationRequests = resourceOf(certificateRevocationRequest);
