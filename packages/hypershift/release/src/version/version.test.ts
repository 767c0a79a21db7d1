import { describe, expect, it } from 'vitest';
import {
  kubernetesVersionFor,
  latestSupportedOf,
  readSupportedVersions,
  supportedVersions,
  supportedVersionsConfigMap,
} from './supported.ts';
import {
  compareVersions,
  formatMinor,
  formatVersion,
  normaliseToFour,
  parseVersion,
  previousMinor,
  tryParseVersion,
} from './version.ts';

describe('parseVersion', () => {
  it.each(['4.20.3', '5.0.0-ec.2', '4.10.0-0.nightly-2021-11-14-184249', '4.18.0+build.5', '418.94.202507091512-0'])(
    'When given %s, it should print the same',
    (text) => expect(formatVersion(parseVersion(text))).toBe(text),
  );

  it.each([
    ['', 'Version string empty'],
    ['4.20', 'No Major.Minor.Patch elements found'],
    ['4.20.3.1', 'No Major.Minor.Patch elements found'],
    ['v4.20.3', 'Invalid character(s) found in major number "v4"'],
    ['4.020.3', 'Minor number must not contain leading zeroes "020"'],
    ['4.20.x', 'Invalid character(s) found in patch number "x"'],
    ['4.20.3-', 'Prerelease is empty'],
    ['4.20.3-a_b', 'Invalid character(s) found in PreRelease "a_b"'],
    ['4.20.3+', 'Build meta data is empty'],
    ['99999999999999999999.0.0', 'major number "99999999999999999999" is out of range'],
    [`4.20.${'3'.repeat(300)}`, 'Version string is longer than 256 characters'],
  ])('When given %j, it should say why it is no version', (text, message) => {
    expect(() => parseVersion(text)).toThrow(message);
    expect(tryParseVersion(text)).toBeUndefined();
  });
});

describe('compareVersions', () => {
  const ascending = [
    '4.9.9',
    '4.20.0-ec.1',
    '4.20.0-rc.1',
    '4.20.0-rc.2',
    '4.20.0-rc.10',
    '4.20.0-rc.10.1',
    '4.20.0',
    '4.20.3',
    '5.0.0',
  ];
  it('When versions are in order, it should agree for every pair', () => {
    const versions = ascending.map(parseVersion);
    versions.forEach((a, i) =>
      versions.forEach((b, j) => expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(i - j))),
    );
  });
  it('When only build metadata differs, it should call them equal', () => {
    expect(compareVersions(parseVersion('4.20.3+a'), parseVersion('4.20.3+b'))).toBe(0);
  });
});

describe('the 4.x scale', () => {
  it.each([
    ['4.22.1', 22],
    ['4.23.0', 23],
    ['5.0.0', 23],
    ['5.1.7', 24],
  ])('When given %s, it should count as 4.%i', (text, minor) => {
    expect(normaliseToFour(parseVersion(text))).toMatchObject({ major: 4, minor });
  });
  it.each(['3.11.0', '6.0.0'])('When given %s, it should refuse', (text) => {
    expect(() => normaliseToFour(parseVersion(text))).toThrow(
      `unsupported major version ${text[0]}; only 4.x and 5.x are supported`,
    );
  });
  it.each([
    ['5.0.0', 2, '4.21'],
    ['5.1.0', 1, '5.0'],
    ['4.20.3', 3, '4.17'],
  ])('When going back from %s by %i, it should arrive at %s', (text, count, expected) => {
    expect(formatMinor(previousMinor(parseVersion(text), count))).toBe(expected);
  });
  it('When there is nothing before, it should refuse', () => {
    expect(() => previousMinor(parseVersion('4.2.0'), 3)).toThrow('cannot go back 3 minor versions from 4.2.0');
  });
});

describe('supported versions', () => {
  it('When listed, they should run from the newest to the oldest with both names of 5.0', () => {
    expect(supportedVersions()).toEqual([
      '5.1',
      '5.0',
      '4.23',
      '4.22',
      '4.21',
      '4.20',
      '4.19',
      '4.18',
      '4.17',
      '4.16',
      '4.15',
      '4.14',
    ]);
  });

  it('When published, it should be read back the same', () => {
    const configMap = supportedVersionsConfigMap('hypershift', 'abc123');
    expect(configMap.metadata).toEqual({
      name: 'supported-versions',
      namespace: 'hypershift',
      labels: { 'hypershift.openshift.io/supported-versions': 'true' },
    });
    expect(configMap.data['supported-versions']).toMatch(/^\{"versions":\["5\.1","5\.0",/);
    expect(readSupportedVersions(configMap)).toEqual({ versions: supportedVersions(), serverVersion: 'abc123' });
  });

  it.each([
    [{}, 'the server did not advertise its HyperShift version'],
    [{ 'server-version': 'x' }, 'the server did not advertise supported OCP versions'],
    [{ 'server-version': 'x', 'supported-versions': '{' }, 'failed to parse supported versions on the server'],
  ])('When the ConfigMap holds %j, it should say what is missing', (data, message) => {
    expect(() => readSupportedVersions({ data })).toThrow(message);
  });

  it.each([
    ['4.14.9', '1.27.0'],
    ['4.18.0', '1.31.0'],
    ['4.23.1', '1.36.0'],
    ['5.0.0-ec.2', '1.36.0'],
    ['5.1.0', '1.37.0'],
  ])('When asked for the Kubernetes of %s, it should answer %s', (text, kubernetes) => {
    expect(formatVersion(kubernetesVersionFor(parseVersion(text)))).toBe(kubernetes);
  });
  it('When the version is unknown, it should name it', () => {
    expect(() => kubernetesVersionFor(parseVersion('4.13.0'))).toThrow('unknown supported version "4.13.0"');
  });

  it('When choosing a default, it should take the newest release of an advertised minor', () => {
    const candidates = ['4.21.0-rc.1', '4.20.8', '4.20.3', '4.19.18', '5.2.0'];
    expect(latestSupportedOf(candidates, supportedVersions())).toBe('4.20.8');
    expect(latestSupportedOf(['4.2.1'], ['4.20'])).toBeUndefined();
  });
});
