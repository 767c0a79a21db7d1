import { kubeconfigsOf, leavesOf } from '@hypershift-ts/hypershift-control-plane-pki';
import { describe, expect, it } from 'vitest';
import { controlPlaneComponentList } from '../components/registry.ts';
import { isEnabled } from '../framework/component.ts';
import { desiredWorkload } from '../framework/workload.ts';
import { testContext, testRelease } from '../testing/context.ts';
import { pkiFacts, pkiTuning } from './pki-facts.ts';

const release = await testRelease(undefined, 'registry');
const facts = (spec: object = {}, platform = 'None') =>
  pkiFacts(testContext({ release, platform, spec }), controlPlaneComponentList);
const day = 24 * 3_600_000;

describe('pkiFacts', () => {
  it('When the published addresses are known, it should take them and the domain of the cluster', () => {
    expect(facts()).toMatchObject({
      api: { host: 'api.demo.example.com', port: 6443 },
      konnectivityHost: 'konnectivity.demo.example.com',
      oauthHost: 'oauth.demo.example.com',
      ingressDomain: 'apps.demo.example.com',
      adminUsesInternalName: false,
    });
  });

  it('When the domain has a prefix of its own, it should follow it', () => {
    expect(facts({ dns: { baseDomain: 'example.com', baseDomainPrefix: '' } }).ingressDomain).toBe('apps.example.com');
  });

  it('When users come from elsewhere, it should leave the OAuth server out', () => {
    expect(facts({ configuration: { authentication: { type: 'OIDC' } } }).oauthHost).toBeUndefined();
  });

  it.each(['None', 'AWS', 'GCP', 'KubeVirt'])(
    'When components of %s mount certificates, it should issue them',
    (platform) => {
      const context = testContext({
        release,
        platform,
        spec: {
          platform: {
            type: platform,
            ...(platform === 'AWS' ? { aws: { region: 'us-east-1', cloudProviderConfig: { vpc: 'vpc-1' } } } : {}),
            ...(platform === 'GCP'
              ? {
                  gcp: {
                    project: 'p',
                    region: 'r',
                    networkConfig: { network: { name: 'n' } },
                    endpointAccess: 'Private',
                  },
                }
              : {}),
          },
          monitoring: { metricsForwarding: { mode: 'Forward' } },
          services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
            service,
            servicePublishingStrategy: { type: 'Route', route: { hostname: `${service.toLowerCase()}.example.com` } },
          })),
        },
      });
      const made = pkiFacts(context, controlPlaneComponentList);
      const known = new Set([...leavesOf(made), ...kubeconfigsOf(made)].map(({ secret }) => secret));
      const wanted = controlPlaneComponentList
        .filter((one) => isEnabled(one, context))
        .flatMap((one) => JSON.stringify(desiredWorkload(one, context)).match(/"secretName":"[^"]+"/g) ?? [])
        .map((text) => text.slice(14, -1))
        .filter((name) => /(-cert|-crt|-tls|-kubeconfig)$/.test(name));
      expect(wanted.filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

describe('pkiTuning', () => {
  it.each([
    [{}, {}],
    [
      { certificateValidity: '240h', certificateRenewalPercentage: '0.5' },
      { leafValidity: 10 * day, renewalShare: 0.5 },
    ],
    [{ certificateValidity: 'soon', certificateRenewalPercentage: '7' }, {}],
  ])('When the settings are %j, it should tune %j', (settings, expected) => {
    expect(pkiTuning(settings)).toEqual(expected);
  });
});
