/** Conditions that can be told from the pool, its cluster and its release alone. */
import {
  type HostedCluster,
  joinedErrors,
  type NodePool,
  pauseOf,
  supportedArchitectures,
  validateAutoscaling,
  validateNodePoolPlatformConfig,
  validateUpdateManagement,
} from '@hypershift-ts/hypershift-api';
import {
  controlPlaneVersionOf,
  newestVersionForNodePools,
  parseVersion,
  type ReleaseError,
  type ReleaseImage,
  supportedVersionSkewCondition,
  tryParseVersion,
  validateReleaseVersion,
} from '@hypershift-ts/hypershift-release';
import { fails, holds, type PoolVerdict } from './report.ts';

export function autoscalingEnabled(pool: NodePool): PoolVerdict {
  const type = 'AutoscalingEnabled';
  const { autoScaling } = pool.spec;
  if (!autoScaling) return fails(type, 'AsExpected', '');
  const errors = validateAutoscaling(pool, {});
  if (errors.length > 0)
    return fails(
      type,
      'ValidationFailed',
      errors.some(({ field }) => field === 'spec.autoScaling.min') && autoScaling.min === 0
        ? `Autoscaling from zero (min=0) is not supported for ${pool.spec.platform.type} platform`
        : joinedErrors(errors),
    );
  return holds(type, `Maximum nodes: ${autoScaling.max}, Minimum nodes: ${autoScaling.min}`);
}

export function updateManagementEnabled(pool: NodePool): PoolVerdict {
  const errors = validateUpdateManagement(pool, {});
  return errors.length === 0
    ? holds('UpdateManagementEnabled', '')
    : fails('UpdateManagementEnabled', 'ValidationFailed', joinedErrors(errors));
}

/** The pool's release may be used under its control plane; the error says why not. */
export function releaseProblem(
  pool: NodePool,
  cluster: HostedCluster,
  release: ReleaseImage,
  clusterRelease: ReleaseImage,
): ReleaseError | undefined {
  return validateReleaseVersion({
    wanted: parseVersion(release.version),
    current: tryParseVersion(pool.status?.version),
    maximum: parseVersion(newestVersionForNodePools(cluster.status?.version) ?? clusterRelease.version),
    networkType: cluster.spec.networking?.networkType,
    platformType: cluster.spec.platform.type,
    annotations: cluster.metadata.annotations,
  });
}

/** What the user can do about it, where the error knows. */
export function withFix(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const fix = (error as { readonly fix?: unknown } | undefined)?.fix;
  return typeof fix === 'string' && !text.includes(fix) ? `${text}; ${fix}` : text;
}

/** Whether the platform has such machines and the release runs on them. */
export function validArchPlatform({ spec }: NodePool, cluster: HostedCluster): PoolVerdict {
  const type = 'ValidArchPlatform';
  const reason = 'InvalidArchPlatform';
  const { arch } = spec;
  const supported = supportedArchitectures[spec.platform.type] ?? [];
  if (!supported.includes(arch)) {
    const instead = supported.length > 0 ? `use '${supported[0]}' instead` : 'its machines come from elsewhere';
    return fails(type, reason, `CPU arch ${arch} is not supported for platform: ${spec.platform.type}, ${instead}`);
  }
  const payload = cluster.status?.payloadArch;
  return payload === undefined || payload === 'Multi' || payload === arch.toUpperCase()
    ? holds(type, '')
    : fails(
        type,
        reason,
        `CPU arch ${arch} is not in the release of the HostedCluster, which is for ${payload} only; use a multi-arch release image`,
      );
}

/** Whether machines are reconciled; the instant decides for a pause that ends by itself. */
export function poolReconciliationActive({ spec }: NodePool, now: Date): PoolVerdict {
  const type = 'ReconciliationActive';
  const pause = pauseOf(spec.pausedUntil);
  if (pause === 'forever') return fails(type, 'ReconciliationPaused', 'Reconciliation paused until field removed');
  if (typeof pause === 'object' && pause.until > now)
    return fails(type, 'ReconciliationPaused', `Reconciliation paused until: ${spec.pausedUntil}`);
  return pause === 'invalid'
    ? holds(type, 'Invalid value provided for PausedUntil field', 'InvalidPausedUntilValue')
    : holds(type, 'Reconciliation active on resource', 'ReconciliationActive');
}

/** Milliseconds of pause left; undefined when the pause ends with an edit only. */
export function poolPauseLeftMs({ spec }: NodePool, now: Date): number | undefined {
  const pause = pauseOf(spec.pausedUntil);
  return typeof pause === 'object' ? Math.max(0, pause.until.getTime() - now.getTime()) : undefined;
}

export const supportedVersionSkew = (cluster: HostedCluster, releaseVersion: string): PoolVerdict =>
  supportedVersionSkewCondition(cluster.status?.version, releaseVersion);

/** Settings of the platform that do not fit; told, while running machines go on. */
export function validPlatformSettings(pool: NodePool, cluster: HostedCluster): PoolVerdict {
  const { version } = cluster.status ?? {};
  const controlPlaneVersion = version ? controlPlaneVersionOf(version) : '';
  const errors = validateNodePoolPlatformConfig(pool, {
    hostedCluster: cluster,
    ...(controlPlaneVersion ? { controlPlaneVersion } : {}),
  });
  if (errors.length === 0) return holds('ValidPlatformConfig', 'All is well');
  const isReservation = errors.every(({ field }) => field.endsWith('.capacityReservation'));
  return fails('ValidPlatformConfig', isReservation ? 'AWSError' : 'ValidationFailed', joinedErrors(errors));
}
