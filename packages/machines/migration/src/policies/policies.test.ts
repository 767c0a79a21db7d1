import { describe, expect, it } from 'vitest';
import { convertiblePlatforms, platformConversion } from '../conversion/platforms.ts';
import { commonPolicies, platformPolicies } from './index.ts';
import { policyTransports, readPolicyTransport } from './transport.ts';

describe('Admission policies', () => {
  it('When policies and bindings are listed, it should have each name once, the same on both', () => {
    const all = [
      ...commonPolicies(),
      ...convertiblePlatforms.flatMap((name) => platformPolicies(platformConversion(name)!)),
    ];
    const names = all.map(({ policy }) => policy.metadata.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { policy, binding } of all) {
      expect(binding.metadata.name).toBe(policy.metadata.name);
      expect(binding.spec?.policyName).toBe(policy.metadata.name);
      expect(Boolean(binding.spec?.paramRef)).toBe(Boolean(policy.spec?.paramKind));
    }
  });

  it('When a rule only warns, it should let requests pass that it cannot judge', () => {
    for (const { policy, binding } of commonPolicies())
      expect(policy.spec?.failurePolicy).toBe(binding.spec?.validationActions?.includes('Warn') ? 'Ignore' : 'Fail');
  });
});

describe('Transport of policies', () => {
  it('When they are packed for a platform, it should be found by the labels of an installer', () => {
    const [common, aws] = policyTransports(platformConversion('AWS')!, '4.22.0');
    expect(common?.metadata).toMatchObject({
      name: 'cluster-api-custom-admission-policies',
      namespace: 'openshift-cluster-api',
      labels: {
        'provider.cluster.x-k8s.io/name': 'openshift-cluster-api',
        'provider.cluster.x-k8s.io/type': 'core',
        'provider.cluster.x-k8s.io/version': '4.22.0',
      },
    });
    expect(aws?.metadata).toMatchObject({
      name: 'cluster-api-aws-admission-policies',
      labels: {
        'provider.cluster.x-k8s.io/name': 'openshift-cluster-api-aws',
        'provider.cluster.x-k8s.io/type': 'infrastructure',
      },
    });
    expect(policyTransports(platformConversion('BareMetal')!, '4.22.0')[1]?.metadata.name).toBe(
      'cluster-api-metal3-admission-policies',
    );
  });

  it('When they are unpacked, it should be the same objects', () => {
    const [common] = policyTransports(platformConversion('GCP')!, '4.22.0');
    expect(readPolicyTransport(common!)).toEqual(commonPolicies().flatMap(({ policy, binding }) => [policy, binding]));
  });

  it('When somebody else wrote them as YAML, it should read that as well', () => {
    const components =
      '---\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: a\n---\n---\nkind: B\nmetadata: {name: b}\n';
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { components } };
    expect(readPolicyTransport(configMap).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });

  it.each([
    [{}, 'ConfigMap c: provider configmap has no components data'],
    [{ components: 'just text' }, 'ConfigMap c: document 1 of components is not a Kubernetes object'],
  ])('When it holds %j, it should say what is wrong', (data, message) => {
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data };
    expect(() => readPolicyTransport(configMap)).toThrow(message);
  });
});
