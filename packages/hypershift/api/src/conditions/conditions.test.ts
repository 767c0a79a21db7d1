import { describe, expect, it } from 'vitest';
import {
  type ConditionCatalogue,
  conditionReasons,
  controlPlaneComponentConditions,
  goodStatus,
  healthyHostedClusterConditions,
  hostedClusterConditions,
  hostedControlPlaneConditions,
  nodePoolConditions,
} from './index.ts';

const catalogues: readonly { kind: string; catalogue: ConditionCatalogue }[] = [
  { kind: 'HostedCluster', catalogue: hostedClusterConditions },
  { kind: 'HostedControlPlane', catalogue: hostedControlPlaneConditions },
  { kind: 'NodePool', catalogue: nodePoolConditions },
  { kind: 'ControlPlaneComponent', catalogue: controlPlaneComponentConditions },
];

describe.each(catalogues)('conditions of $kind', ({ catalogue }) => {
  it('When a condition is listed, it should have a meaning and fit into a CRD condition', () => {
    for (const [type, { meaning }] of Object.entries(catalogue)) {
      expect(meaning).toMatch(/\.$/);
      expect(type).toMatch(/^([a-z0-9.-]+\/)?[A-Za-z][A-Za-z0-9]*$/);
    }
  });

  it('When a condition is copied from the control plane, it should exist there', () => {
    const copied = Object.values(catalogue).flatMap(({ source }) =>
      'copiedFrom' in source && source.copiedFrom === 'HostedControlPlane' ? [source.type] : [],
    );
    expect(copied.filter((type) => !(type in hostedControlPlaneConditions))).toEqual([]);
  });
});

describe('reasons', () => {
  it('When a reason is listed, it should be used by some condition and satisfy the CRD pattern', () => {
    const used = new Set(
      catalogues.flatMap(({ catalogue }) => Object.values(catalogue).flatMap(({ reasons }) => reasons)),
    );
    for (const reason of Object.keys(conditionReasons)) {
      expect([...used]).toContain(reason);
      expect(reason).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
    }
  });
});

describe('healthyHostedClusterConditions', () => {
  const spec = { services: [], etcd: { managementType: 'Managed' } };
  const healthy = (platform: object) =>
    healthyHostedClusterConditions({ spec: { ...spec, platform } } as unknown as Parameters<
      typeof healthyHostedClusterConditions
    >[0]);

  it('When a condition is expected, it should agree with its polarity or be unknown', () => {
    for (const type of ['AWS', 'Azure', 'GCP', 'None', 'KubeVirt'])
      for (const [name, status] of healthy({ type })) {
        const facts = hostedClusterConditions[name as keyof typeof hostedClusterConditions];
        expect([goodStatus(facts), 'Unknown']).toContain(status);
      }
  });

  it('When an AWS cluster is private, it should expect its endpoints', () => {
    expect(healthy({ type: 'AWS', aws: { endpointAccess: 'Private' } }).get('AWSEndpointAvailable')).toBe('True');
    expect(healthy({ type: 'AWS', aws: { endpointAccess: 'Public' } }).has('AWSEndpointAvailable')).toBe(false);
  });
});
