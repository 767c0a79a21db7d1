import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { managedByKarpenterLabel } from './names.ts';

export interface PoolFacts {
  readonly poolExists: boolean;
  /** The HostedCluster is gone or going. */
  readonly clusterGone: boolean;
  readonly platform: string;
  /** AWS machines before 4.16 need their user data even to be deleted. */
  readonly keepsUserData?: boolean;
  /** The Secrets of the rollout that the pool wants now. */
  readonly expectedNames: readonly string[];
}

/** `expire`: let it run out; machines may be booting with it. */
export type SecretFate = 'keep' | 'expire' | 'delete';

/** What becomes of a token or user-data Secret. */
export function secretFate(secret: corev1.Secret, facts: PoolFacts): SecretFate {
  const name = secret.metadata.name ?? '';
  const isToken = name.startsWith('token');
  if (!isToken && !name.startsWith('user-data')) return 'keep';
  if (!facts.poolExists) return secret.metadata.labels?.[managedByKarpenterLabel] === 'true' ? 'keep' : 'delete';
  const outdated: SecretFate = isToken ? 'expire' : 'delete';
  if (facts.clusterGone) return outdated;
  // All machines of a KubeVirt rollout share the Secret until the last of them is gone.
  if (facts.platform === 'KubeVirt' || facts.keepsUserData) return 'keep';
  return facts.expectedNames.includes(name) ? 'keep' : outdated;
}
