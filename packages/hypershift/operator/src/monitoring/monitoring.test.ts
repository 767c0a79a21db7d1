import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import { prometheusAccess, sharedConfigMaps, sharedCopyOf } from './index.ts';

describe('monitoring', () => {
  it('When the management cluster scrapes, only its Prometheus should be let in, to read', () => {
    const [role, binding] = prometheusAccess(aCluster());
    expect(role.metadata).toMatchObject({ name: 'openshift-prometheus', namespace: 'clusters-demo' });
    expect(role.rules?.flatMap(({ verbs }) => verbs)).not.toContain('*');
    expect(binding.subjects).toEqual([
      { kind: 'ServiceAccount', name: 'prometheus-k8s', namespace: 'openshift-monitoring' },
    ]);
  });
  it('When ConfigMaps are shared, the copies should have the names control planes mount', () => {
    expect(sharedConfigMaps('hypershift').map(({ to }) => to)).toEqual([
      'sre-metric-set',
      'openshift-config-managed-trusted-ca-bundle',
    ]);
    const source = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { config: 'y' } } as const;
    expect(sharedCopyOf(aCluster(), 'sre-metric-set', source)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'sre-metric-set',
        namespace: 'clusters-demo',
        annotations: { 'hypershift.openshift.io/cluster': 'clusters/demo' },
      },
      data: { config: 'y' },
    });
  });
});
