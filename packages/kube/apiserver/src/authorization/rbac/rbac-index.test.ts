import { describe, expect, it } from 'vitest';
import type { Attributes, Binding, ClusterRole, PolicyRule, Subject } from '../index.ts';
import { RbacIndex } from '../index.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const role = (name: string, namespace: string, rules: readonly PolicyRule[]): ClusterRole => ({
  apiVersion,
  kind: namespace ? 'Role' : 'ClusterRole',
  metadata: { name, ...(namespace ? { namespace } : {}) },
  rules,
});
const binding = (
  name: string,
  namespace: string,
  roleKind: string,
  roleName: string,
  subjects: Subject[],
): Binding => ({
  apiVersion,
  kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
  metadata: { name, ...(namespace ? { namespace } : {}) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: roleName },
  subjects,
});
const ask = (user: string, verb: string, what: Partial<Attributes> = {}): Attributes => ({
  user: { name: user, groups: ['system:authenticated', 'dev'] },
  verb,
  isResource: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: '',
  namespace: 'default',
  path: '',
  ...what,
});
const user = (name: string): Subject => ({ kind: 'User', name });

function indexWith(...objects: (ClusterRole | Binding)[]): RbacIndex {
  const index = new RbacIndex();
  index.replace(objects);
  return index;
}

describe('rules', () => {
  const pods: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
  it.each<[string, PolicyRule, Attributes, boolean]>([
    ['the resource and verb are named', pods, ask('u', 'get'), true],
    ['the verb is not named', pods, ask('u', 'delete'), false],
    ['the group differs', pods, ask('u', 'get', { group: 'metrics.k8s.io' }), false],
    ['a subresource is asked for', pods, ask('u', 'get', { subresource: 'log' }), false],
    ['the subresource is named', { ...pods, resources: ['pods/log'] }, ask('u', 'get', { subresource: 'log' }), true],
    ['only the subresource is named', { ...pods, resources: ['pods/log'] }, ask('u', 'get'), false],
    [
      'any scale is allowed',
      { verbs: ['get'], apiGroups: ['*'], resources: ['*/scale'] },
      ask('u', 'get', { group: 'apps', resource: 'deployments', subresource: 'scale' }),
      true,
    ],
    [
      'a scale wildcard meets the main resource',
      { verbs: ['get'], apiGroups: ['*'], resources: ['*/scale'] },
      ask('u', 'get'),
      false,
    ],
    [
      'everything is allowed',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      ask('u', 'x', { subresource: 'y' }),
      true,
    ],
    ['the name is listed', { ...pods, resourceNames: ['a', 'b'] }, ask('u', 'get', { name: 'b' }), true],
    ['the name is not listed', { ...pods, resourceNames: ['a'] }, ask('u', 'get', { name: 'b' }), false],
    ['names are listed and none is given', { ...pods, resourceNames: ['a'] }, ask('u', 'list'), false],
    [
      'a URL is exact',
      { verbs: ['get'], nonResourceURLs: ['/livez'] },
      ask('u', 'get', { isResource: false, path: '/livez' }),
      true,
    ],
    [
      'a URL is below a star',
      { verbs: ['get'], nonResourceURLs: ['/livez/*'] },
      ask('u', 'get', { isResource: false, path: '/livez/ping' }),
      true,
    ],
    [
      'a URL is above a star',
      { verbs: ['get'], nonResourceURLs: ['/livez/*'] },
      ask('u', 'get', { isResource: false, path: '/livez' }),
      false,
    ],
    [
      'a resource rule meets a URL',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      ask('u', 'get', { isResource: false, path: '/x' }),
      false,
    ],
  ])('When %s, it should decide like Kubernetes', (_, rule, attributes, expected) => {
    const index = indexWith(role('r', '', [rule]), binding('b', '', 'ClusterRole', 'r', [user('u')]));
    expect(index.authorize(attributes).decision).toBe(expected ? 'allow' : 'no-opinion');
  });
});

describe('bindings', () => {
  const rules: PolicyRule[] = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];

  it('When a RoleBinding grants, it should hold in its namespace only and say why', () => {
    const index = indexWith(role('r', 'default', rules), binding('b', 'default', 'Role', 'r', [user('u')]));
    expect(index.authorize(ask('u', 'get'))).toEqual({
      decision: 'allow',
      reason: 'RBAC: allowed by RoleBinding "b/default" of Role "r" to User "u"',
    });
    expect(index.authorize(ask('u', 'get', { namespace: 'other' })).decision).toBe('no-opinion');
    expect(index.authorize(ask('u', 'get', { namespace: '' })).decision).toBe('no-opinion');
  });

  it('When subjects are groups or service accounts, it should match them', () => {
    const index = indexWith(
      role('r', '', rules),
      binding('g', '', 'ClusterRole', 'r', [{ kind: 'Group', name: 'dev' }]),
      binding('s', 'default', 'ClusterRole', 'r', [{ kind: 'ServiceAccount', name: 'app' }]),
    );
    expect(index.authorize(ask('anybody', 'get', { namespace: '' })).reason).toContain('to Group "dev"');
    const account = { name: 'system:serviceaccount:default:app', groups: [] };
    expect(index.authorize(ask('', 'get', { user: account })).reason).toContain('to ServiceAccount "app/default"');
    expect(index.authorize(ask('', 'get', { user: account, namespace: 'x' })).decision).toBe('no-opinion');
  });

  it('When a bound role does not exist, it should name it in the reason', () => {
    const index = indexWith(binding('b', '', 'ClusterRole', 'gone', [user('u')]));
    expect(index.authorize(ask('u', 'get')).reason).toBe(
      'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    );
  });

  it('When objects come, change and go, it should follow each event', () => {
    const index = indexWith(binding('b', '', 'ClusterRole', 'r', [user('u')]));
    const decision = () => index.authorize(ask('u', 'get')).decision;
    index.apply({ type: 'ADDED', object: role('r', '', rules) });
    expect(decision()).toBe('allow');
    index.apply({ type: 'MODIFIED', object: role('r', '', []) });
    expect(decision()).toBe('no-opinion');
    index.apply({ type: 'MODIFIED', object: role('r', '', rules) });
    index.apply({ type: 'MODIFIED', object: binding('b', '', 'ClusterRole', 'r', [user('other')]) });
    expect(decision()).toBe('no-opinion');
    index.apply({ type: 'MODIFIED', object: binding('b', '', 'ClusterRole', 'r', [user('u'), user('u')]) });
    expect(decision()).toBe('allow');
    index.apply({ type: 'DELETED', object: binding('b', '', 'ClusterRole', 'r', []) });
    expect(decision()).toBe('no-opinion');
    index.apply({ type: 'DELETED', object: role('r', '', rules) });
    expect(index.rulesOf({ kind: 'ClusterRole', name: 'r' }, '')).toBeUndefined();
  });

  it('When two grants overlap, it should list the rules of one binding once', () => {
    const index = indexWith(
      role('r', '', rules),
      binding('b', '', 'ClusterRole', 'r', [user('u'), { kind: 'Group', name: 'dev' }]),
    );
    expect(index.rulesFor({ name: 'u', groups: ['dev'] }, 'default').rules).toEqual(rules);
  });
});
