import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import {
  controlPlaneReleaseImageOf,
  judgeUpgrade,
  type ReleaseImage,
  type UpgradeDecision,
} from '@hypershift-ts/hypershift-release';
import { fails, type Verdict } from '../conditions/verdict.ts';

/** What Progressing is told from, beside the cluster. */
export interface ProgressFacts {
  /** The release of the control plane, or why it could not be read. */
  readonly release: ReleaseImage | Error;
  /** `spec.release.image` by digest, where it could be resolved. */
  readonly pinnedImage?: string | undefined;
  /** Conditions that were decided in this reconcile. */
  readonly verdicts: readonly Verdict[];
}

const gates = ['SupportedHostedCluster', 'ValidConfiguration', 'ValidReleaseImage', 'ReconciliationActive'];

/** Whether an upgrade of the control plane is under way and may go on. */
function upgradeDecision(
  { metadata, spec, status }: HostedCluster,
  release: ReleaseImage,
  upgradeable: Verdict | undefined,
): UpgradeDecision {
  const { desired, history = [] } = status?.version ?? {};
  return judgeUpgrade({
    current: desired,
    completedVersion: history.find(({ state }) => state === 'Completed')?.version,
    desiredImage: controlPlaneReleaseImageOf(spec),
    desiredVersion: release.version,
    upgradeable: upgradeable && upgradeable.status !== 'Unknown' ? upgradeable : undefined,
    annotations: metadata.annotations,
    controlPlaneReleaseSet: spec.controlPlaneRelease !== undefined,
  });
}

/** Whether the cluster is on its way to the release it should run, or what keeps it from going there. */
export function progressing(cluster: HostedCluster, { release, pinnedImage, verdicts }: ProgressFacts): Verdict {
  const blocked = (message: string) => fails('Progressing', 'Blocked', message);
  if (release instanceof Error) return blocked(release.message);
  for (const { type, status, message } of verdicts)
    if (status === 'False' && gates.includes(type)) return blocked(`${type} condition is false: ${message}`);
  const upgradeable = verdicts.find(({ type }) => type === 'ClusterVersionUpgradeable');
  const decision = upgradeDecision(cluster, release, upgradeable);
  if (decision.upgrading && !decision.allowed) {
    const { message, fix } = decision.error;
    const text = fix ? `${message}; ${fix}` : message;
    return blocked(upgradeable?.status === 'False' ? `ClusterVersionUpgradeable condition is false: ${text}` : text);
  }
  const current = cluster.status?.version?.desired.image;
  const isThere = current === cluster.spec.release.image || (pinnedImage !== undefined && current === pinnedImage);
  return isThere
    ? fails('Progressing', 'AsExpected', 'HostedCluster is at expected version')
    : {
        type: 'Progressing',
        status: 'True',
        reason: 'Progressing',
        message: 'HostedCluster is deploying, upgrading, or reconfiguring',
      };
}
