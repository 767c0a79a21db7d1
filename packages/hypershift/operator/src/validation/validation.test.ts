import { describe, expect, it } from 'vitest';
import type { Verdict } from '../conditions/index.ts';
import { aCluster } from '../testing/clusters.ts';
import { configurationErrors, operationsGate } from './index.ts';

const no = (type: Verdict['type'], reason = 'X'): Verdict => ({ type, status: 'False', reason, message: 'why' });

describe('operationsGate', () => {
  it.each([
    ['all is well', [], { open: true }],
    ['the configuration is wrong', [no('ValidConfiguration')], { open: false, retry: true, message: 'why' }],
    ['the cluster is not supported', [no('SupportedHostedCluster')], { open: false, retry: false, message: 'why' }],
    ['the release is wrong', [no('ValidReleaseImage')], { open: false, retry: false, message: 'why' }],
    [
      'the pull secret is missing',
      [no('ValidReleaseImage', 'SecretNotFound'), no('Progressing', 'Blocked')],
      { open: true },
    ],
    ['an upgrade is refused', [no('Progressing', 'Blocked')], { open: false, retry: false, message: 'why' }],
    ['it is at its version', [no('Progressing', 'AsExpected')], { open: true }],
  ] as const)('When %s, it should decide so', (_, verdicts, expected) => {
    expect(operationsGate(verdicts)).toEqual(expected);
  });
});

describe('configurationErrors', () => {
  it('When a cluster is fine, it should find nothing', () => {
    expect(configurationErrors(aCluster(), { hasRoutes: true })).toEqual([]);
  });
  it('When Routes are asked for and there are none, it should name the field', () => {
    expect(configurationErrors(aCluster(), { hasRoutes: false })[0]?.field).toMatch(/^spec\.services/);
  });
  it('When the platform is unknown, it should say which there are', () => {
    const errors = configurationErrors(aCluster({ platform: { type: 'Mars' } }), {});
    expect(errors.at(-1)).toMatchObject({ field: 'spec.platform.type' });
    expect(errors.at(-1)?.message).toContain('use one of AWS, Azure');
  });
});
