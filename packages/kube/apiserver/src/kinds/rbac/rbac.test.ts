import { describe, expect, it } from 'vitest';
import type { KindBehaviour } from '../behaviour.ts';
import { cellsOf, created, faults, updateFaults } from '../testing/objects.ts';
import { rbacKinds } from './index.ts';

const kind = (resource: string) => rbacKinds[`${resource}.rbac.authorization.k8s.io`] as KindBehaviour;
const roleRef = { kind: 'ClusterRole', name: 'view' };

describe('rbac', () => {
  it('When a binding leaves out API groups, it should fill them in', () => {
    const subjects = [
      { kind: 'User', name: 'a' },
      { kind: 'ServiceAccount', name: 'b', namespace: 'c' },
    ];
    expect(created(kind('clusterrolebindings'), { roleRef, subjects })).toMatchObject({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io' }, { kind: 'ServiceAccount', name: 'b', namespace: 'c' }],
    });
  });

  it.each<[string, string, object, string[]]>([
    [
      'a rule grants nothing',
      'roles',
      { rules: [{ apiGroups: [''], resources: ['pods'] }] },
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'a role speaks of URLs',
      'roles',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }] },
      ['rules[0].nonResourceURLs: Invalid value: ["/metrics"]: namespaced rules cannot apply to non-resource URLs'],
    ],
    [
      'a cluster role speaks of URLs',
      'clusterroles',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }] },
      [],
    ],
    [
      'a cluster binding names a role',
      'clusterrolebindings',
      { roleRef: { kind: 'Role', name: 'x' } },
      ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    ],
    [
      'a service account has no namespace',
      'clusterrolebindings',
      { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
      ['subjects[0].namespace: Required value'],
    ],
  ])('When %s, it should answer as upstream does', (_case, resource, fields, expected) => {
    expect(faults(kind(resource), fields)).toEqual(expected);
  });

  it('When the role of a binding changes, it should refuse', () => {
    expect(
      updateFaults(kind('rolebindings'), { roleRef }, { roleRef: { kind: 'ClusterRole', name: 'admin' } }),
    ).toEqual([
      'roleRef: Invalid value: {"kind":"ClusterRole","name":"admin","apiGroup":"rbac.authorization.k8s.io"}: cannot change roleRef',
    ]);
  });

  it('When bindings are listed, it should show role and subjects', () => {
    const subjects = [
      { kind: 'User', name: 'a' },
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    ];
    expect(cellsOf(kind('rolebindings'), { roleRef, subjects })).toEqual([
      'thing',
      'ClusterRole/view',
      '10m',
      'a',
      'g',
      'n/s',
    ]);
  });
});
