import { describe, expect, it } from 'vitest';
import { aHostedCluster, aNodePool } from '../testing/builders.ts';
import { validateNodePool } from '../validation/index.ts';
import {
  defaultHostedCluster,
  defaultNodePool,
  generateInfraID,
  withGeneratedEncryption,
  withIdentity,
} from './index.ts';

const sources = {
  random: () => 0.5,
  uuid: () => '2f3c5d0e-9d3b-4c48-9b8c-0d5b3c1f2a11',
  releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.21.0-multi',
};

describe('defaultHostedCluster', () => {
  it('When no release is named, it should take the offered one', () => {
    const { spec } = defaultHostedCluster(aHostedCluster({ release: { image: '' } }), sources);
    expect(spec.release.image).toBe(sources.releaseImage);
    expect(spec.networking.allocateNodeCIDRs).toBe('Disabled');
  });

  it('When values are given, it should keep them', () => {
    const { spec } = defaultHostedCluster(aHostedCluster(), sources);
    expect(spec.release.image).toContain('4.20.1');
  });

  it('When KubeVirt says little, it should add identity, names and missing services in order', () => {
    const { spec } = defaultHostedCluster(
      aHostedCluster({
        platform: { type: 'KubeVirt' },
        services: [{ service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } }],
      }),
      sources,
    );
    expect(spec.services.map(({ service }) => service)).toEqual([
      'Konnectivity',
      'APIServer',
      'Ignition',
      'OAuthServer',
    ]);
    expect(spec.platform.kubevirt).toMatchObject({ baseDomainPassthrough: true });
    expect(spec.platform.kubevirt?.generateID).toHaveLength(10);
  });

  it('When it is applied twice, it should change nothing the second time', () => {
    const once = defaultHostedCluster(aHostedCluster({ platform: { type: 'KubeVirt' } }), sources);
    expect(defaultHostedCluster(once, sources)).toEqual(once);
  });
});

describe('generateInfraID', () => {
  it.each([
    ['demo', /^demo-[a-z0-9]{5}$/],
    ['a.very.long.name.with.dots', /^a-very-long-name-with-[a-z0-9]{5}$/],
    ['twenty-characters-is-', /^twenty-characters-is-[a-z0-9]{5}$/],
  ])('When the cluster is called %s, it should fit into 27 characters', (name, pattern) => {
    const id = generateInfraID(name, sources.random);
    expect(id).toMatch(pattern);
    expect(id.length).toBeLessThanOrEqual(27);
  });
});

describe('withIdentity', () => {
  it('When an AWS cluster has no identity, it should get one and own its tag', () => {
    const { spec } = withIdentity(aHostedCluster({ platform: { type: 'AWS', aws: { region: 'us-east-1' } } }), sources);
    expect(spec.clusterID).toBe(sources.uuid());
    expect(spec.platform.aws?.resourceTags).toEqual([{ key: `kubernetes.io/cluster/${spec.infraID}`, value: 'owned' }]);
  });

  it('When a cluster has its identity, it should be the same object', () => {
    const once = withIdentity(aHostedCluster(), sources);
    expect(withIdentity(once, sources)).toBe(once);
  });
});

describe('withGeneratedEncryption', () => {
  it('When a KubeVirt cluster chose no encryption, it should use a generated key', () => {
    const { spec } = withGeneratedEncryption(aHostedCluster({ platform: { type: 'KubeVirt' } }));
    expect(spec.secretEncryption).toEqual({
      type: 'aescbc',
      aescbc: { activeKey: { name: 'demo-etcd-encryption-key' } },
    });
  });
});

describe('defaultNodePool', () => {
  it('When no release is named, it should take the one of the cluster', () => {
    const { pool } = defaultNodePool(aNodePool({ release: { image: '' } }), aHostedCluster());
    expect(pool.spec.release.image).toBe(aHostedCluster().spec.release.image);
  });

  it('When there is no cluster to take the release from, it should say which field is wrong', () => {
    const { errors } = defaultNodePool(aNodePool({ release: { image: '' } }), undefined);
    expect(errors.map(({ field }) => field)).toEqual(['spec.clusterName']);
  });

  it('When KubeVirt says nothing about updates, it should write what the controller accepts', () => {
    const { pool } = defaultNodePool(aNodePool({ platform: { type: 'KubeVirt' }, management: {} }), aHostedCluster());
    expect(pool.spec.management.replace?.strategy).toBe('RollingUpdate');
    expect(validateNodePool(pool)).toEqual([]);
  });
});
