import { describe, expect, it } from 'vitest';
import { validateReleaseVersion } from './release-validity.ts';
import { rhelStreamFor } from './rhel-stream.ts';
import { supportedVersionSkewCondition, validateVersionSkew, newestVersionForNodePools } from './skew.ts';
import { parseVersion } from './version.ts';

const skipped = { 'hypershift.openshift.io/skip-release-image-validation': '' };

describe('validateReleaseVersion', () => {
  interface Row {
    wanted: string;
    current?: string;
    maximum?: string;
    network?: string;
    platform?: string;
    annotations?: Record<string, string>;
    error?: string;
  }
  const rows: Row[] = [
    { wanted: '4.14.0' },
    { wanted: '5.1.9' },
    { wanted: '4.20.3', current: '4.20.8' },
    { wanted: '5.0.0', current: '4.23.4' },
    { wanted: '4.23.0', current: '5.0.2' },
    { wanted: '4.7.0', error: 'releases before 4.8 are not supported. Attempting to use: "4.7.0"' },
    { wanted: '4.8.0-rc.1', error: 'releases before 4.8 are not supported. Attempting to use: "4.8.0-rc.1"' },
    {
      wanted: '4.19.1',
      current: '4.20.3',
      error: 'y-stream downgrade from "4.20.3" to "4.19.1" is not supported',
    },
    { wanted: '4.22.0', current: '5.0.0', error: 'y-stream downgrade from "5.0.0" to "4.22.0" is not supported' },
    { wanted: '4.19.1', current: '4.20.3', annotations: skipped },
    { wanted: '5.2.0', error: 'the latest version supported is: "5.1". Attempting to use: "5.2.0"' },
    { wanted: '5.2.0', maximum: '5.3.0', error: 'the latest version supported is: "5.1". Attempting to use: "5.2.0"' },
    {
      wanted: '4.21.0',
      maximum: '4.20.3',
      error: 'the latest version supported is: "4.20.3". Attempting to use: "4.21.0"',
    },
    { wanted: '4.20.8', maximum: '4.20.3' },
    {
      wanted: '4.13.0',
      platform: 'AWS',
      error: 'the minimum version supported for platform AWS is: "4.14". Attempting to use: "4.13.0"',
    },
    { wanted: '4.13.0', annotations: skipped },
    { wanted: '6.0.0', error: 'unsupported major version 6; only 4.x and 5.x are supported' },
    {
      wanted: '4.21.0',
      current: '4.20.0',
      network: 'OpenShiftSDN',
      error: 'y-stream upgrade from "4.20.0" to "4.21.0" is not for OpenShiftSDN',
    },
    { wanted: '4.20.1', current: '4.20.0', network: 'OpenShiftSDN' },
    { wanted: '4.20.0', network: 'OpenShiftSDN', error: 'cannot use OpenShiftSDN with OCP version "4.20.0" > 4.10' },
    { wanted: '4.20.0', network: 'OpenShiftSDN', platform: 'PowerVS' },
    { wanted: '4.10.3', network: 'OVNKubernetes', error: 'cannot use OVNKubernetes with OCP version "4.10.3" < 4.11' },
  ];
  it.each(rows)('When $current moves to $wanted (max $maximum, $network), it should answer $error', (row) => {
    const error = validateReleaseVersion({
      wanted: parseVersion(row.wanted),
      current: row.current === undefined ? undefined : parseVersion(row.current),
      ...(row.maximum === undefined ? {} : { maximum: parseVersion(row.maximum) }),
      networkType: row.network ?? 'OVNKubernetes',
      platformType: row.platform ?? 'None',
      annotations: row.annotations,
    });
    expect(error?.message).toBe(row.error);
  });
});

describe('validateVersionSkew', () => {
  it.each([
    ['4.20.3', '4.20.3', undefined],
    ['4.20.3', '4.17.0', undefined],
    ['5.0.0', '4.20.0', undefined],
    ['5.0.0', '4.23.0', undefined],
    ['4.23.0', '5.0.0', undefined],
    ['4.20.3', '4.20.4', 'NodePool version 4.20.4 cannot be higher than the HostedCluster version 4.20.3'],
    ['4.20.3', '5.0.0', 'NodePool version 5.0.0 cannot be higher than the HostedCluster version 4.20.3'],
    ['4.20.0-rc.1', '4.20.0', 'NodePool version 4.20.0 cannot be higher than the HostedCluster version 4.20.0-rc.1'],
    [
      '4.20.3',
      '4.16.9',
      'NodePool minor version 4.16 is less than 4.17, which is the minimum NodePool version compatible with the 4.20 HostedCluster',
    ],
    [
      '5.1.0',
      '4.20.0',
      'NodePool minor version 4.20 is less than 4.21, which is the minimum NodePool version compatible with the 5.1 HostedCluster',
    ],
  ])('When the cluster is at %s and the pool at %s, it should answer %s', (cluster, pool, message) => {
    expect(validateVersionSkew(parseVersion(cluster), parseVersion(pool))?.message).toBe(message);
  });
});

describe('supportedVersionSkewCondition', () => {
  const upgrading = {
    desired: { version: '4.21.1' },
    history: [
      { state: 'Partial', version: '4.21.1', completionTime: null },
      { state: 'Completed', version: '4.20.8', completionTime: '2026-01-01T00:00:00Z' },
    ],
  };
  it.each<[string, Parameters<typeof supportedVersionSkewCondition>, string, string, string]>([
    [
      'nothing is known of the cluster',
      [undefined, '4.20.3'],
      'Unknown',
      'ValidationFailed',
      'HostedCluster version is not available yet, waiting for version information',
    ],
    ['the pool fits', [upgrading, '4.20.8'], 'True', 'AsExpected', 'Release image version is valid'],
    [
      'the cluster has not completed the version',
      [upgrading, '4.21.1'],
      'False',
      'UnsupportedSkew',
      'NodePool version 4.21.1 cannot be higher than the HostedCluster version 4.20.8',
    ],
    [
      'the cluster is installing',
      [{ desired: { version: '4.21.1' } }, '4.21.1'],
      'True',
      'AsExpected',
      'Release image version is valid',
    ],
    [
      'the first install is not complete',
      [{ history: [{ state: 'Partial', version: '4.21.1' }] }, '4.21.1'],
      'True',
      'AsExpected',
      'Release image version is valid',
    ],
    [
      'the cluster version is not known yet',
      [{ desired: { version: '' } }, '4.21.1'],
      'Unknown',
      'ValidationFailed',
      'Failed to parse control plane version (): Version string empty',
    ],
    [
      'the release cannot be read',
      [upgrading, new Error('no such image')],
      'Unknown',
      'ValidationFailed',
      'Failed to get release image: no such image',
    ],
    [
      'the pool has no version',
      [upgrading, 'x'],
      'Unknown',
      'ValidationFailed',
      'Failed to parse NodePool version (x): No Major.Minor.Patch elements found',
    ],
    [
      'the pool is of another major',
      [upgrading, '3.11.0'],
      'False',
      'UnsupportedSkew',
      'unsupported major version 3; only 4.x and 5.x are supported',
    ],
  ])('When %s, it should say so', (_, args, status, reason, message) => {
    expect(supportedVersionSkewCondition(...args)).toEqual({ type: 'SupportedVersionSkew', status, reason, message });
  });

  it('When a version completed, it should bound what pools may ask for', () => {
    expect(newestVersionForNodePools(upgrading)).toBe('4.20.8');
    expect(newestVersionForNodePools({ history: [{ version: '4.20.8', completionTime: null }] })).toBeUndefined();
    expect(newestVersionForNodePools(undefined)).toBeUndefined();
  });
});

describe('rhelStreamFor', () => {
  const facts = { releaseVersion: parseVersion('5.0.0'), osStreamsEnabled: true, usesRunc: false };
  it.each([
    [{}, 'rhel-10'],
    [{ osStreamsEnabled: false }, 'rhel-9'],
    [{ usesRunc: true }, 'rhel-9'],
    [{ releaseVersion: parseVersion('4.22.0') }, 'rhel-9'],
    [{ statusStream: 'rhel-9' }, 'rhel-9'],
    [{ statusStream: 'rhel-9', specStream: 'rhel-10' }, 'rhel-10'],
    [{ specStream: 'rhel-10', osStreamsEnabled: false }, 'rhel-10'],
    [{ specStream: 'rhel-9' }, 'rhel-9'],
  ])('When %j, it should choose %s', (difference, stream) => {
    expect(rhelStreamFor({ ...facts, ...difference })).toBe(stream);
  });
  it.each([
    [
      { specStream: 'rhel-10', releaseVersion: parseVersion('4.22.0') },
      'stream "rhel-10" requires OCP >= 5.0, but release version is 4.22.0',
    ],
    [
      { specStream: 'rhel-10', usesRunc: true },
      'stream "rhel-10" is incompatible with runc: RHEL 10 does not ship runc',
    ],
    [{ specStream: 'rhel-8' }, 'unknown RHEL stream "rhel-8"; valid values are "rhel-9" and "rhel-10"'],
  ])('When %j, it should refuse', (difference, message) => {
    expect(() => rhelStreamFor({ ...facts, ...difference })).toThrow(message);
  });
});
