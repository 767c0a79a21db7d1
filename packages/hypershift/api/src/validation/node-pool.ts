/** Everything a NodePool must satisfy beyond its CRD. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { NodePool } from '../node-pool/index.ts';
import type { NodePoolCheck, NodePoolFacts } from './facts.ts';
import { validateKubeVirtPatch } from './kubevirt-patch.ts';
import { validateArchitecture } from './node-pool-architecture.ts';
import { validateUpdateManagement } from './node-pool-management.ts';
import { validateNodeLabels, validateTaints } from './node-pool-nodes.ts';
import { validateCapacityReservation, validateKubeVirtNetworks } from './node-pool-platforms.ts';
import { validateAutoscaling, validateDrainTimeouts, validateReplicas } from './node-pool-size.ts';
import { pauseOf } from './paused-until.ts';
import { strayPlatformMembers, validateNodePoolPlatform } from './platform-union.ts';

/** Concerns with a condition of their own: AutoscalingEnabled, UpdateManagementEnabled, ValidArchPlatform. */
const ownConditions: readonly NodePoolCheck[] = [validateAutoscaling, validateUpdateManagement, validateArchitecture];

const platformConfig: readonly NodePoolCheck[] = [
  validateReplicas,
  validateNodePoolPlatform,
  validateCapacityReservation,
  validateKubeVirtNetworks,
  validateKubeVirtPatch,
  validateTaints,
  validateNodeLabels,
  validateDrainTimeouts,
];

function errorsOf(checks: readonly NodePoolCheck[], pool: NodePool, facts: NodePoolFacts): readonly FieldError[] {
  // The CRD accepts an object without spec.
  if (!pool.spec) return [fieldError.required('spec')];
  return checks.flatMap((check) => check(pool, facts));
}

/** What is wrong with a NodePool, field by field. Facts that are not given are not checked. */
export function validateNodePool(pool: NodePool, facts: NodePoolFacts = {}): readonly FieldError[] {
  return errorsOf([...ownConditions, ...platformConfig], pool, facts);
}

/** The part of it that ValidPlatformConfig reports. */
export function validateNodePoolPlatformConfig(pool: NodePool, facts: NodePoolFacts = {}): readonly FieldError[] {
  return errorsOf(platformConfig, pool, facts);
}

/** What is allowed and probably not meant, as warnings for whoever writes the object. */
export function nodePoolWarnings({ spec }: NodePool): readonly string[] {
  if (!spec) return [];
  return [
    ...strayPlatformMembers(spec.platform).map((field) => `${field}: has no effect on platform ${spec.platform.type}`),
    ...(pauseOf(spec.pausedUntil) === 'invalid'
      ? ['spec.pausedUntil: neither a time in RFC 3339 format nor a boolean; reconciliation goes on']
      : []),
    ...(spec.replicas === undefined && spec.autoScaling === undefined
      ? ['spec.replicas: neither replicas nor autoScaling is set; the pool has no machines']
      : []),
  ];
}
