import { ReleaseError } from '../errors.ts';

/** A semantic version as OpenShift writes them, for example `4.20.3` or `5.0.0-ec.2`. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

const longestVersion = 256;
const digits = /^[0-9]+$/;
const identifier = /^[0-9A-Za-z-]+$/;

function invalid(text: string, why: string): ReleaseError {
  return new ReleaseError('RELEASE_VERSION_INVALID', {
    message: why,
    fix: `use a version like 4.20.3 instead of ${JSON.stringify(text.slice(0, longestVersion))}`,
  });
}

function numberPart(text: string, part: string, whole: string): number {
  if (!digits.test(part)) throw invalid(whole, `Invalid character(s) found in ${text} number ${JSON.stringify(part)}`);
  if (part.length > 1 && part.startsWith('0'))
    throw invalid(
      whole,
      `${text[0]?.toUpperCase()}${text.slice(1)} number must not contain leading zeroes ${JSON.stringify(part)}`,
    );
  const value = Number(part);
  if (!Number.isSafeInteger(value)) throw invalid(whole, `${text} number ${JSON.stringify(part)} is out of range`);
  return value;
}

function identifiers(text: string, kind: 'PreRelease' | 'Build meta data', whole: string): string[] {
  const parts = text.split('.');
  for (const part of parts) {
    if (part === '') throw invalid(whole, kind === 'PreRelease' ? 'Prerelease is empty' : 'Build meta data is empty');
    if (!identifier.test(part)) throw invalid(whole, `Invalid character(s) found in ${kind} ${JSON.stringify(part)}`);
    if (kind === 'PreRelease' && digits.test(part) && part.length > 1 && part.startsWith('0'))
      throw invalid(whole, `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`);
  }
  return parts;
}

/** Reads `major.minor.patch[-pre][+build]` strictly; anything else is RELEASE_VERSION_INVALID. */
export function parseVersion(text: string): Version {
  if (text === '') throw invalid(text, 'Version string empty');
  if (text.length > longestVersion) throw invalid(text, `Version string is longer than ${longestVersion} characters`);
  const [withoutBuild, ...buildParts] = text.split('+');
  const build = buildParts.length > 0 ? identifiers(buildParts.join('+'), 'Build meta data', text) : [];
  const dash = (withoutBuild as string).indexOf('-');
  const core = dash < 0 ? (withoutBuild as string) : (withoutBuild as string).slice(0, dash);
  const parts = core.split('.');
  if (parts.length !== 3) throw invalid(text, 'No Major.Minor.Patch elements found');
  return Object.freeze({
    major: numberPart('major', parts[0] as string, text),
    minor: numberPart('minor', parts[1] as string, text),
    patch: numberPart('patch', parts[2] as string, text),
    pre: dash < 0 ? [] : identifiers((withoutBuild as string).slice(dash + 1), 'PreRelease', text),
    build,
  });
}

/** The version, or undefined when the text is none. */
export function tryParseVersion(text: string | undefined): Version | undefined {
  if (text === undefined) return undefined;
  try {
    return parseVersion(text);
  } catch {
    return undefined;
  }
}

export function formatVersion({ major, minor, patch, pre, build }: Version): string {
  const suffix = `${pre.length > 0 ? `-${pre.join('.')}` : ''}${build.length > 0 ? `+${build.join('.')}` : ''}`;
  return `${major}.${minor}.${patch}${suffix}`;
}

/** `4.20`: how minors are named in messages and in the list of supported versions. */
export function formatMinor({ major, minor }: Pick<Version, 'major' | 'minor'>): string {
  return `${major}.${minor}`;
}

function comparePre(a: string, b: string): number {
  const aNumeric = digits.test(a);
  const bNumeric = digits.test(b);
  if (aNumeric && bNumeric) return Number(a) - Number(b);
  if (aNumeric !== bNumeric) return aNumeric ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Semantic version order: negative, zero or positive. Build metadata does not count. */
export function compareVersions(a: Version, b: Version): number {
  const byNumber = a.major - b.major || a.minor - b.minor || a.patch - b.patch;
  if (byNumber !== 0) return byNumber;
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let index = 0; index < Math.min(a.pre.length, b.pre.length); index++) {
    const order = comparePre(a.pre[index] as string, b.pre[index] as string);
    if (order !== 0) return order;
  }
  return a.pre.length - b.pre.length;
}

/** 5.0 and 4.23 are one release under two names, so 5.x counts as 4.(23 + x) wherever versions are compared. */
const minorOfFive = 23;

/** The version on the 4.x scale. Majors other than 4 and 5 have no place on it. */
export function normaliseToFour(version: Version): Version {
  if (version.major === 4) return version;
  if (version.major === 5) return { ...version, major: 4, minor: version.minor + minorOfFive };
  throw new ReleaseError('RELEASE_VERSION_UNSUPPORTED', {
    message: `unsupported major version ${version.major}; only 4.x and 5.x are supported`,
    fix: 'use a 4.x or 5.x release image',
    field: 'spec.release.image',
  });
}

/** How a minor of the 4.x scale is shown to people: 4.23 and above as 5.x. */
export function displayMinor(minor: number): { major: number; minor: number } {
  return minor >= minorOfFive ? { major: 5, minor: minor - minorOfFive } : { major: 4, minor };
}

/** The minor that lies `count` minors before a version: two before 5.0 is 4.21. */
export function previousMinor(version: Version, count: number): { major: number; minor: number } {
  const { minor } = normaliseToFour(version);
  if (minor < count)
    throw new ReleaseError('RELEASE_VERSION_UNSUPPORTED', {
      message: `cannot go back ${count} minor versions from ${formatVersion(version)} (normalized minor ${minor})`,
    });
  return displayMinor(minor - count);
}
