import { ReleaseError } from '../errors.ts';
import { skipsReleaseValidation } from './supported.ts';
import { displayMinor, formatMinor, formatVersion, normaliseToFour, parseVersion, tryParseVersion } from './version.ts';

export const forceUpgradeAnnotation = 'hypershift.openshift.io/force-upgrade-to';

export interface UpgradeFacts {
  /** `status.version.desired`; absent while the cluster is installing. */
  readonly current?: { readonly image: string; readonly version?: string | undefined } | undefined;
  /** The newest version whose rollout completed, from the history; absent before the first one. */
  readonly completedVersion?: string | undefined;
  /** The image the control plane shall run: controlPlaneRelease, else release. */
  readonly desiredImage: string;
  readonly desiredVersion: string;
  /** Condition ClusterVersionUpgradeable, when the cluster reported one. */
  readonly upgradeable?: { readonly status: string; readonly reason?: string; readonly message?: string } | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Whether `spec.controlPlaneRelease` is set; that counts as a forced upgrade. */
  readonly controlPlaneReleaseSet?: boolean;
}

export type UpgradeDecision =
  | { readonly upgrading: false }
  | { readonly upgrading: true; readonly allowed: true; readonly message: string }
  | { readonly upgrading: true; readonly allowed: false; readonly error: ReleaseError };

/** Whether an upgrade is under way, and whether it may go on. A refusal is shown as `Progressing=False/Blocked`. */
export function judgeUpgrade(facts: UpgradeFacts): UpgradeDecision {
  if (facts.current === undefined || facts.current.image === facts.desiredImage) return { upgrading: false };
  const forced = facts.annotations?.[forceUpgradeAnnotation];
  // Upstream lets a cluster jump over minors. Storage versions and kubelets of the skipped one would never be seen.
  const skip =
    forced === facts.desiredImage || skipsReleaseValidation(facts.annotations) ? undefined : minorSkip(facts);
  if (skip) return refused(skip);

  if (facts.upgradeable === undefined || facts.upgradeable.status === 'True') return allowed('');
  if (forced !== undefined) {
    if (forced === facts.desiredImage) return allowed('upgrade is forced by annotation');
    return refused(
      new ReleaseError('RELEASE_FORCE_MISMATCH', {
        message: 'force upgrade annotation is present but does not match desired release image',
        fix: `set annotation ${forceUpgradeAnnotation} to ${facts.desiredImage}, or remove it`,
        field: 'spec.release.image',
      }),
    );
  }
  if (facts.controlPlaneReleaseSet) return allowed('upgrade is forced by ControlPlaneRelease being set');
  return withinZStream(facts);
}

function withinZStream({ current, desiredVersion, upgradeable, desiredImage }: UpgradeFacts): UpgradeDecision {
  const running = current?.version ?? '';
  const from = tryParseVersion(running);
  if (!from)
    return refused(
      new ReleaseError('RELEASE_VERSION_INVALID', {
        message: `cluster is ClusterVersionUpgradeable=${upgradeable?.status} (${upgradeable?.reason}: ${upgradeable?.message}), and failed to parse the current target ${running} as a Semantic Version`,
        fix: 'wait until the cluster reports its version',
      }),
    );
  const to = parseVersion(desiredVersion);
  // A z-stream upgrade is how a cluster gets the fix for what makes it not upgradeable.
  if (to.major === from.major && to.minor === from.minor) return allowed('');
  return refused(
    new ReleaseError('RELEASE_NOT_UPGRADEABLE', {
      message: 'cluster version is not upgradeable',
      fix: `solve what condition ClusterVersionUpgradeable names, or set annotation ${forceUpgradeAnnotation} to ${desiredImage}`,
      field: 'spec.release.image',
    }),
  );
}

/** The refusal when an upgrade would jump over a minor, counted from the last version that completed. */
export function minorSkip(
  facts: Pick<UpgradeFacts, 'completedVersion' | 'desiredVersion' | 'desiredImage'>,
): ReleaseError | undefined {
  const from = tryParseVersion(facts.completedVersion);
  if (!from) return undefined;
  const to = parseVersion(facts.desiredVersion);
  const next = normaliseToFour(from).minor + 1;
  const last = normaliseToFour(to).minor - 1;
  if (last < next) return undefined;
  const skipped = next === last ? minorText(next) : `${minorText(next)} to ${minorText(last)}`;
  return new ReleaseError('RELEASE_MINOR_SKIPPED', {
    message: `upgrade from ${JSON.stringify(formatVersion(from))} to ${JSON.stringify(formatVersion(to))} skips ${skipped}; only one minor version at a time is supported`,
    fix: `upgrade to a ${minorText(next)} release first, or set annotation ${forceUpgradeAnnotation} to ${facts.desiredImage}`,
    field: 'spec.release.image',
  });
}

const minorText = (minor: number) => formatMinor(displayMinor(minor));
const allowed = (message: string): UpgradeDecision => ({ upgrading: true, allowed: true, message });
const refused = (error: ReleaseError): UpgradeDecision => ({ upgrading: true, allowed: false, error });
