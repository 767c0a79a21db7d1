import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { describe, expect, it } from 'vitest';
import { testControlPlane } from '../testing/context.ts';
import { dependenciesOf, isSatisfied, unmetDependencies } from './dependencies.ts';

const hcp = testControlPlane();
const unmanaged = testControlPlane({ spec: { etcd: { managementType: 'Unmanaged' } } });

function reported(available: string, rolledOut: string, version?: string): ControlPlaneComponent {
  const conditions = [
    { type: 'Available', status: available },
    { type: 'RolloutComplete', status: rolledOut },
  ];
  return { status: { conditions, version } } as unknown as ControlPlaneComponent;
}

describe('dependencies', () => {
  it.each([
    ['kube-scheduler', [], ['kube-apiserver']],
    ['kube-apiserver', ['etcd', 'featuregate-generator'], ['etcd', 'featuregate-generator']],
    ['etcd', [], []],
    ['etcd-events', [], []],
    ['ignition-server-proxy', ['ignition-server'], ['ignition-server']],
    ['router', ['ignition-server'], ['ignition-server']],
    ['cluster-api', [], []],
    ['oauth-openshift', ['openshift-apiserver'], ['kube-apiserver', 'openshift-apiserver']],
  ])('When %s declares %j, it should wait for %j', (name, dependsOn, expected) => {
    expect(dependenciesOf({ name, dependsOn }, { hcp })).toEqual(expected);
  });

  it('When etcd is not ours, it should not be waited for', () => {
    expect(dependenciesOf({ name: 'kube-apiserver', dependsOn: ['etcd'] }, { hcp: unmanaged })).toEqual([]);
  });

  it.each([
    ['up and at the version', reported('True', 'True', '4.20.8'), true],
    ['at the old version', reported('True', 'True', '4.20.3'), false],
    ['still rolling', reported('True', 'False', '4.20.8'), false],
    ['not available', reported('False', 'True', '4.20.8'), false],
    ['not reported', undefined, false],
  ])('When a dependency is %s, it should be satisfied: %#', (_, found, expected) => {
    expect(isSatisfied(found, '4.20.8')).toBe(expected);
  });

  it('When some are unmet, it should name exactly those, sorted', () => {
    const unmet = unmetDependencies(
      { name: 'x', dependsOn: ['b', 'a'] },
      { hcp },
      (name) => (name === 'a' ? reported('True', 'True', 'v') : undefined),
      'v',
    );
    expect(unmet).toEqual(['b', 'kube-apiserver']);
  });
});
