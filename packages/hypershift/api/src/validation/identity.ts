/** Names and identifiers of a hosted cluster. */
import { fieldError, isLabelValue, isQualifiedName } from '@hypershift-ts/kube-apimachinery';
import type { HostedClusterCheck } from './facts.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const validateClusterID: HostedClusterCheck = ({ spec }) =>
  spec.clusterID && !uuid.test(spec.clusterID)
    ? [fieldError.invalid('spec.clusterID', spec.clusterID, 'must be a UUID')]
    : [];

const infraID = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

export const validateInfraID: HostedClusterCheck = ({ spec }) =>
  spec.infraID && !infraID.test(spec.infraID)
    ? [fieldError.invalid('spec.infraID', spec.infraID, 'must be lower case letters, digits and inner dashes')]
    : [];

/** Labels end up on every pod of the control plane, where Kubernetes refuses bad ones. */
export const validateLabelSyntax: HostedClusterCheck = ({ spec }) =>
  Object.entries(spec.labels ?? {}).flatMap(([key, value]) => [
    ...isQualifiedName(key).map((detail) => fieldError.invalid(`spec.labels[${key}]`, key, detail)),
    ...isLabelValue(value).map((detail) => fieldError.invalid(`spec.labels[${key}]`, value, detail)),
  ]);
