import { causeText, ReleaseError } from '../errors.ts';
import {
  compareVersions,
  displayMinor,
  formatMinor,
  formatVersion,
  normaliseToFour,
  parseVersion,
  type Version,
} from './version.ts';

/** How many minors a NodePool may be behind its HostedCluster. */
export const supportedNodePoolSkew = 3;

/** Undefined when a NodePool of one version may live under a HostedCluster of another, else the error to show. */
export function validateVersionSkew(hostedCluster: Version, nodePool: Version): ReleaseError | undefined {
  const cluster = normaliseToFour(hostedCluster);
  const pool = normaliseToFour(nodePool);
  if (compareVersions(pool, cluster) > 0)
    return new ReleaseError('NODEPOOL_VERSION_SKEW', {
      message: `NodePool version ${formatVersion(nodePool)} cannot be higher than the HostedCluster version ${formatVersion(hostedCluster)}`,
      fix: `upgrade the HostedCluster first, or set spec.release to ${formatVersion(hostedCluster)} or older`,
      field: 'spec.release.image',
    });
  if (cluster.minor - pool.minor > supportedNodePoolSkew) {
    const oldest = formatMinor(displayMinor(Math.max(cluster.minor - supportedNodePoolSkew, 0)));
    return new ReleaseError('NODEPOOL_VERSION_SKEW', {
      message: `NodePool minor version ${formatMinor(nodePool)} is less than ${oldest}, which is the minimum NodePool version compatible with the ${formatMinor(hostedCluster)} HostedCluster`,
      fix: `set spec.release of the NodePool to a ${oldest} release or newer`,
      field: 'spec.release.image',
    });
  }
  return undefined;
}

/** The parts of `HostedCluster.status.version` that versions are judged by. History is newest first. */
export interface ClusterVersionStatus {
  readonly desired?: { readonly version?: string };
  readonly history?: readonly {
    readonly state?: string;
    readonly version?: string;
    readonly completionTime?: string | null;
  }[];
}

/** The version NodePools are measured against: the newest completed one, else the newest, else the desired one. */
export function controlPlaneVersionOf(status: ClusterVersionStatus): string {
  const history = status.history ?? [];
  const chosen = history.find(({ state }) => state === 'Completed') ?? history[0];
  return (chosen ? chosen.version : status.desired?.version) ?? '';
}

/**
 * The newest version a NodePool may ask for: that of the first history entry with a completion time. Undefined before
 * there is one; the version of `spec.release` counts then.
 */
export function newestVersionForNodePools(status: ClusterVersionStatus | undefined): string | undefined {
  return status?.history?.find(({ completionTime }) => completionTime != null)?.version;
}

export interface SkewCondition {
  readonly type: 'SupportedVersionSkew';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: 'AsExpected' | 'UnsupportedSkew' | 'ValidationFailed';
  readonly message: string;
}

/** The NodePool condition SupportedVersionSkew; `nodePool` is its release's version, or why that could not be had. */
export function supportedVersionSkewCondition(
  clusterVersion: ClusterVersionStatus | undefined,
  nodePool: string | Error,
): SkewCondition {
  const unknown = (message: string): SkewCondition => ({
    type: 'SupportedVersionSkew',
    status: 'Unknown',
    reason: 'ValidationFailed',
    message,
  });
  if (!clusterVersion) return unknown('HostedCluster version is not available yet, waiting for version information');
  const clusterText = controlPlaneVersionOf(clusterVersion);
  let cluster: Version;
  try {
    cluster = parseVersion(clusterText);
  } catch (error) {
    return unknown(`Failed to parse control plane version (${clusterText}): ${causeText(error)}`);
  }
  if (nodePool instanceof Error) return unknown(`Failed to get release image: ${causeText(nodePool)}`);
  let pool: Version;
  try {
    pool = parseVersion(nodePool);
  } catch (error) {
    return unknown(`Failed to parse NodePool version (${nodePool}): ${causeText(error)}`);
  }
  let error: ReleaseError | undefined;
  try {
    error = validateVersionSkew(cluster, pool);
  } catch (thrown) {
    // A major that has no place on the scale cannot be measured, and is never supported.
    if (!(thrown instanceof ReleaseError)) throw thrown;
    error = thrown;
  }
  return error
    ? { type: 'SupportedVersionSkew', status: 'False', reason: 'UnsupportedSkew', message: error.message }
    : { type: 'SupportedVersionSkew', status: 'True', reason: 'AsExpected', message: 'Release image version is valid' };
}
