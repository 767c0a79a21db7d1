/** Everything a HostedCluster must satisfy beyond its CRD. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedCluster } from '../hosted-cluster/index.ts';
import { validateAuthentication } from './authentication.ts';
import { validateManagedHSM, validateSecretEncryption } from './encryption.ts';
import { validateEtcd } from './etcd.ts';
import type { HostedClusterCheck, HostedClusterFacts } from './facts.ts';
import { validateClusterID, validateInfraID, validateLabelSyntax } from './identity.ts';
import { validateKubeVirtPatch } from './kubevirt-patch.ts';
import { validateAllowedSources, validateHostPrefix, validateNetworks, validateNodePorts } from './networking.ts';
import { pauseOf } from './paused-until.ts';
import { strayPlatformMembers, validateHostedClusterPlatform } from './platform-union.ts';
import { validatePullSecret, validateSigningKey, validateTrustBundles } from './references.ts';
import {
  validateAWSServices,
  validateNeededServices,
  validateRouteSupport,
  validateUniqueHostnames,
  validateUniqueServices,
} from './services.ts';
import { validateServingNames } from './serving-names.ts';

const checks: readonly HostedClusterCheck[] = [
  validateRouteSupport,
  validateSigningKey,
  validateHostedClusterPlatform,
  validateUniqueServices,
  validateNeededServices,
  validateAWSServices,
  validateClusterID,
  validateInfraID,
  validateUniqueHostnames,
  validateNetworks,
  validateNodePorts,
  validateAllowedSources,
  validateHostPrefix,
  validatePullSecret,
  validateTrustBundles,
  validateEtcd,
  validateSecretEncryption,
  validateManagedHSM,
  validateServingNames,
  validateAuthentication,
  validateLabelSyntax,
  validateKubeVirtPatch,
];

/** What is wrong with a HostedCluster, field by field. Facts that are not given are not checked. */
export function validateHostedCluster(cluster: HostedCluster, facts: HostedClusterFacts = {}): readonly FieldError[] {
  // The CRD accepts an object without spec.
  if (!cluster.spec) return [fieldError.required('spec')];
  return checks.flatMap((check) => check(cluster, facts));
}

/** What is allowed and probably not meant, as warnings for whoever writes the object. */
export function hostedClusterWarnings({ spec }: HostedCluster): readonly string[] {
  if (!spec) return [];
  const services = spec.services ?? [];
  return [
    ...strayPlatformMembers(spec.platform).map((field) => `${field}: has no effect on platform ${spec.platform.type}`),
    ...services.flatMap(({ service }, index) =>
      service === 'OIDC' || service === 'OVNSbDb' ? [`spec.services[${index}]: service ${service} has no effect`] : [],
    ),
    ...(pauseOf(spec.pausedUntil) === 'invalid'
      ? ['spec.pausedUntil: neither a time in RFC 3339 format nor a boolean; reconciliation goes on']
      : []),
    ...(spec.secretEncryption?.aescbc?.backupKey
      ? ['spec.secretEncryption.aescbc.backupKey: deprecated; change activeKey to rotate']
      : []),
  ];
}
