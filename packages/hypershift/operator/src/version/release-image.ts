import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import {
  parseVersion,
  ReleaseError,
  type ReleaseImage,
  requirePayloadArch,
  tryParseVersion,
  validateReleaseVersion,
  validReleaseImageReason,
} from '@hypershift-ts/hypershift-release';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { fails, holds, type Verdict } from '../conditions/verdict.ts';

/** Why a release could not be read: the pull secret is not there, which is told apart from everything else. */
export class PullSecretMissing extends Error {
  override readonly name = 'PullSecretMissing';
  constructor(namespace: string, name: string) {
    super(`pull secret ${namespace}/${name} does not exist; create it, or correct spec.pullSecret.name`);
  }
}

/** Whether a ValidReleaseImage that was True still holds: a registry that is away does not make an image invalid. */
function isJudged({ metadata, status }: HostedCluster): boolean {
  const condition = findCondition(status?.conditions, 'ValidReleaseImage');
  return condition?.status === 'True' && condition.observedGeneration === metadata.generation;
}

/** What is wrong, where, and what to do about it. */
function told(error: Error): string {
  if (!(error instanceof ReleaseError)) return error.message;
  const { message, field = 'spec.release.image', fix } = error;
  return `${message.includes(field) ? '' : `${field}: `}${message}${fix ? `; ${fix}` : ''}`;
}

/** Whether the release of a cluster can be read and may be run. */
export function validReleaseImage(cluster: HostedCluster, release: ReleaseImage | Error): Verdict {
  const type = 'ValidReleaseImage';
  if (release instanceof PullSecretMissing) return fails(type, 'SecretNotFound', release.message);
  if (release instanceof Error && isJudged(cluster)) return holds(type, 'Release image is valid');
  if (release instanceof Error) return fails(type, validReleaseImageReason(release), told(release));
  const { history = [] } = cluster.status?.version ?? {};
  const error = validateReleaseVersion({
    wanted: parseVersion(release.version),
    current: tryParseVersion(history.find(({ state }) => state === 'Completed')?.version),
    networkType: cluster.spec.networking?.networkType,
    platformType: cluster.spec.platform.type,
    annotations: cluster.metadata.annotations,
  });
  if (error) return fails(type, 'InvalidImage', error.message);
  try {
    requirePayloadArch(release);
  } catch (missing) {
    return fails(type, 'PayloadArchNotFound', missing instanceof Error ? missing.message : String(missing));
  }
  return holds(type, 'Release image is valid');
}
