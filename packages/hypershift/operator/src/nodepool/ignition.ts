/** What is known about the way in which machines get their configuration. */
import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import { secretText, tokenAnnotation, tokenKey } from '@hypershift-ts/hypershift-ignition';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { fails, holds, type PoolVerdict, unknown } from './report.ts';
import { isInPlace } from './scope.ts';

export const ignitionCASecret = 'ignition-server-ca-cert';

/** Why machines could not fetch anything yet; undefined when they can. */
export function ignitionEndpointMissing(
  { status }: HostedCluster,
  ca: corev1.Secret | undefined,
): PoolVerdict | undefined {
  const type = 'IgnitionEndpointAvailable';
  if (!status?.ignitionEndpoint)
    return fails(type, 'IgnitionEndpointMissing', 'Ignition endpoint not available, waiting');
  if (!ca) return fails(type, 'IgnitionCACertMissing', 'still waiting for ignition CA cert Secret to exist');
  return secretText(ca, 'tls.crt')
    ? undefined
    : fails(type, 'IgnitionCACertMissing', 'CA Secret is missing tls.crt key');
}

/** How the ignition server fared with the configuration of the rollout. */
export function validGeneratedPayload(token: corev1.Secret | undefined, name: string): PoolVerdict {
  const type = 'ValidGeneratedPayload';
  if (!token) return fails(type, 'NotFound', `Secret "${name}" not found`);
  const reason = secretText(token, tokenKey.reason);
  if (!reason) return unknown(type, '', 'Unable to get status data from token secret');
  const message = secretText(token, tokenKey.message) ?? '';
  return reason === 'AsExpected' ? holds(type, message) : fails(type, reason, message);
}

/**
 * Whether a machine of the rollout fetched its configuration. Machines that are updated in place never fetch it again,
 * so there it stays what it once was.
 */
export function reachedIgnitionEndpoint(pool: NodePool, token: corev1.Secret | undefined, name: string): PoolVerdict {
  const type = 'ReachedIgnitionEndpoint';
  const before = pool.status?.conditions?.find((condition) => condition.type === type);
  if (isInPlace(pool) && before?.status === 'True')
    return holds(type, before.message ?? '', before.reason ?? 'AsExpected');
  if (!token) return fails(type, 'NotFound', `Secret "${name}" not found`);
  return token.metadata.annotations?.[tokenAnnotation.ignitionReached] === undefined
    ? fails(type, 'ignitionNotReached', '')
    : holds(type, '');
}
