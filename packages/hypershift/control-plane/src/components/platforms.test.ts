import { describe, expect, it } from 'vitest';
import { isEnabled } from '../framework/component.ts';
import { testContext, testRelease } from '../testing/context.ts';
import { rendered } from '../testing/rendered.ts';
import { controlPlaneComponentList } from './registry.ts';

const release = await testRelease(undefined, 'registry');
const platform = (type: string, settings: object = {}) => ({ platform: { type, ...settings } });

describe('components by platform', () => {
  it.each([
    ['None', platform('None'), []],
    ['Agent', platform('Agent', { agent: { agentNamespace: 'a' } }), []],
    [
      'KubeVirt',
      platform('KubeVirt', { kubevirt: {} }),
      ['kubevirt-cloud-controller-manager', 'kubevirt-csi-controller'],
    ],
    [
      'GCP',
      platform('GCP', {
        gcp: {
          project: 'p',
          region: 'r',
          networkConfig: { network: { name: 'n' }, privateServiceConnectSubnet: { name: 's' } },
        },
      }),
      ['gcp-cloud-controller-manager'],
    ],
  ])('When the platform is %s, it should render what belongs to it', (_, spec, expected) => {
    const context = testContext({ release, spec });
    const enabled = controlPlaneComponentList.filter((one) => isEnabled(one, context));
    const special = enabled
      .map(({ name }) => name)
      .filter((name) => /cloud-controller-manager|kubevirt|^aws/.test(name));
    expect(special).toEqual(expected);
    for (const component of enabled) expect(rendered(component, context).length).toBeGreaterThan(0);
  });
});
