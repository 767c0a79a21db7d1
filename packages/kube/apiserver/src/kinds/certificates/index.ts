import type { KindBehaviour } from '../behaviour.ts';
import { certificateSigningRequest } from './signing-request.ts';
import { clusterTrustBundle } from './trust-bundle.ts';

export { prepareRequestApproval } from './request-strategy.ts';
export { validateRequestUpdate } from './request-validation.ts';

export const certificatesKinds: Readonly<Record<string, KindBehaviour>> = {
  'certificatesigningrequests.certificates.k8s.io': certificateSigningRequest,
  'clustertrustbundles.certificates.k8s.io': clusterTrustBundle,
};
