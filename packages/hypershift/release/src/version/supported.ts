import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { ReleaseError } from '../errors.ts';
import { compareVersions, formatMinor, formatVersion, parseVersion, type Version } from './version.ts';

/** The newest minor this operator can run. Its patch means nothing. */
export const latestSupportedVersion = parseVersion('5.1.0');
export const minimumSupportedVersion = parseVersion('4.14.0');
/** Where the 4.x series ends; 5.0 is its twin, and both are listed. */
const lastOfFour = parseVersion('4.23.0');

const kubernetesMinors: Readonly<Record<string, string>> = {
  '4.14': '1.27.0',
  '4.15': '1.28.0',
  '4.16': '1.29.0',
  '4.17': '1.30.0',
  '4.18': '1.31.0',
  '4.19': '1.32.0',
  '4.20': '1.33.0',
  '4.21': '1.34.0',
  '4.22': '1.35.0',
  '4.23': '1.36.0',
  '5.0': '1.36.0',
  '5.1': '1.37.0',
};

/** The Kubernetes minor (as x.y.0) of an OpenShift version, when only the version is known. */
export function kubernetesVersionFor(version: Version): Version {
  const found = kubernetesMinors[formatMinor(version)];
  if (found !== undefined) return parseVersion(found);
  throw new ReleaseError('RELEASE_VERSION_UNSUPPORTED', {
    message: `unknown supported version ${JSON.stringify(formatVersion(version))}`,
    fix: `use a version between ${formatMinor(minimumSupportedVersion)} and ${formatMinor(latestSupportedVersion)}`,
  });
}

/** The oldest version a HostedCluster may run; annotation skip-release-image-validation lifts the limit. */
export function minimumVersionFor(annotations: Readonly<Record<string, string>> | undefined): Version {
  return skipsReleaseValidation(annotations) ? parseVersion('0.0.0') : minimumSupportedVersion;
}

export const skipReleaseImageValidationAnnotation = 'hypershift.openshift.io/skip-release-image-validation';

/** Presence counts, not the value. */
export function skipsReleaseValidation(annotations: Readonly<Record<string, string>> | undefined): boolean {
  return annotations !== undefined && Object.hasOwn(annotations, skipReleaseImageValidationAnnotation);
}

/** Supported minors, newest first: `5.1, 5.0, 4.23, ... 4.14`. */
export function supportedVersions(): readonly string[] {
  return supportedList;
}

const supportedList: readonly string[] = Object.freeze([
  ...minors(latestSupportedVersion.major, latestSupportedVersion.minor, 0),
  ...minors(lastOfFour.major, lastOfFour.minor, minimumSupportedVersion.minor),
]);

function minors(major: number, newest: number, oldest: number): string[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => formatMinor({ major, minor: newest - index }));
}

export const supportedVersionsName = 'supported-versions';
export const supportedVersionsLabel = 'hypershift.openshift.io/supported-versions';

/** The ConfigMap by which clients learn what this operator supports. */
export function supportedVersionsConfigMap(namespace: string, serverVersion: string) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: supportedVersionsName, namespace, labels: { [supportedVersionsLabel]: 'true' } },
    data: { 'server-version': serverVersion, 'supported-versions': JSON.stringify({ versions: supportedList }) },
  } satisfies KubeObject & { data: Record<string, string> };
}

export interface AdvertisedVersions {
  readonly versions: readonly string[];
  readonly serverVersion: string;
}

/** Reads what an operator advertises, ours or another one's. */
export function readSupportedVersions(configMap: { readonly data?: unknown }): AdvertisedVersions {
  const data = isJsonObject(configMap.data) ? configMap.data : {};
  const malformed = (message: string, cause?: unknown) =>
    new ReleaseError('RELEASE_MALFORMED', {
      message,
      fix: `check ConfigMap ${supportedVersionsName}; the hypershift operator writes it when it starts`,
      ...(cause === undefined ? {} : { cause }),
    });
  const serverVersion = data['server-version'];
  if (typeof serverVersion !== 'string') throw malformed('the server did not advertise its HyperShift version');
  const text = data['supported-versions'];
  if (typeof text !== 'string') throw malformed('the server did not advertise supported OCP versions');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw malformed('failed to parse supported versions on the server', cause);
  }
  const versions = isJsonObject(parsed) && Array.isArray(parsed['versions']) ? (parsed['versions'] as unknown[]) : [];
  return { versions: versions.filter((version) => typeof version === 'string'), serverVersion };
}

/**
 * The newest released version among candidates whose minor is advertised; candidates for release do not count.
 * Undefined when none fits.
 */
export function latestSupportedOf(candidates: readonly string[], advertised: readonly string[]): string | undefined {
  const minorsAllowed = new Set(advertised);
  return candidates
    .map((text) => ({ text, version: parseVersion(text) }))
    .filter(({ version }) => version.pre.length === 0 && minorsAllowed.has(formatMinor(version)))
    .sort((a, b) => compareVersions(b.version, a.version))[0]?.text;
}
