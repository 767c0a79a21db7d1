import { ReleaseError, type ReleaseErrorCode } from '../errors.ts';
import { latestSupportedVersion, minimumVersionFor, skipsReleaseValidation } from './supported.ts';
import { compareVersions, formatMinor, formatVersion, normaliseToFour, parseVersion, type Version } from './version.ts';

export interface ReleaseValidityFacts {
  /** The version asked for. */
  readonly wanted: Version;
  /** What runs now; absent for a new cluster or pool. */
  readonly current?: Version | undefined;
  /** The newest version allowed. The operator's own limit applies as well. */
  readonly maximum?: Version;
  readonly networkType?: string | undefined;
  readonly platformType: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

const oldestEver = parseVersion('4.8.0');
const lastWithSdn = 10;

const quoted = (version: Version) => JSON.stringify(formatVersion(version));

/** Limits are named without a zero patch: "5.1", but "4.18.3" when a cluster's own version is the limit. */
function limitText(version: Version): string {
  return JSON.stringify(formatVersion(version).replace(/\.0$/, ''));
}

/**
 * Whether a release may be used, by its version: undefined, or the error to show. Versions compare by minor here; the
 * patch matters only for skew. Texts are those of upstream, which clients match on.
 */
export function validateReleaseVersion(facts: ReleaseValidityFacts): ReleaseError | undefined {
  if (skipsReleaseValidation(facts.annotations)) return undefined;
  try {
    return judge(facts);
  } catch (error) {
    if (error instanceof ReleaseError) return error;
    throw error;
  }
}

function judge(facts: ReleaseValidityFacts): ReleaseError | undefined {
  const { wanted, current, networkType, platformType } = facts;
  const minimum = minimumVersionFor(facts.annotations);
  const wantedMinor = normaliseToFour(wanted).minor;
  const maximum = smaller(facts.maximum ?? latestSupportedVersion, latestSupportedVersion);

  if (compareVersions(normaliseToFour(wanted), oldestEver) < 0)
    return refuse('RELEASE_VERSION_UNSUPPORTED', {
      message: `releases before 4.8 are not supported. Attempting to use: ${quoted(wanted)}`,
      fix: `use ${formatMinor(minimum)} or newer`,
    });

  if (current !== undefined) {
    const currentMinor = normaliseToFour(current).minor;
    if (currentMinor > wantedMinor)
      return refuse('RELEASE_DOWNGRADE', {
        message: `y-stream downgrade from ${quoted(current)} to ${quoted(wanted)} is not supported`,
        fix: `use a release of ${formatMinor(current)} or newer`,
      });
    if (networkType === 'OpenShiftSDN' && currentMinor < wantedMinor)
      return refuse('RELEASE_NETWORK_TYPE', {
        message: `y-stream upgrade from ${quoted(current)} to ${quoted(wanted)} is not for OpenShiftSDN`,
        fix: 'stay in the z-stream, or move to a cluster with OVNKubernetes',
      });
  } else {
    if (networkType === 'OpenShiftSDN' && wantedMinor > lastWithSdn && platformType !== 'PowerVS')
      return refuse('RELEASE_NETWORK_TYPE', {
        message: `cannot use OpenShiftSDN with OCP version ${quoted(wanted)} > 4.10`,
        fix: 'set spec.networking.networkType to OVNKubernetes',
      });
    if (networkType === 'OVNKubernetes' && wantedMinor <= lastWithSdn)
      return refuse('RELEASE_NETWORK_TYPE', {
        message: `cannot use OVNKubernetes with OCP version ${quoted(wanted)} < 4.11`,
        fix: 'use 4.11 or newer',
      });
  }

  if (wantedMinor > normaliseToFour(maximum).minor)
    return refuse('RELEASE_VERSION_UNSUPPORTED', {
      message: `the latest version supported is: ${limitText(maximum)}. Attempting to use: ${quoted(wanted)}`,
      fix: `use a release of ${formatMinor(maximum)} or older`,
    });
  if (wantedMinor < normaliseToFour(minimum).minor)
    return refuse('RELEASE_VERSION_UNSUPPORTED', {
      message: `the minimum version supported for platform ${platformType} is: ${limitText(minimum)}. Attempting to use: ${quoted(wanted)}`,
      fix: `use a release of ${formatMinor(minimum)} or newer`,
    });
  return undefined;
}

function smaller(a: Version, b: Version): Version {
  return compareVersions(normaliseToFour(a), normaliseToFour(b)) > 0 ? b : a;
}

function refuse(code: ReleaseErrorCode, { message, fix }: { message: string; fix: string }): ReleaseError {
  return new ReleaseError(code, { message, fix, field: 'spec.release.image' });
}
