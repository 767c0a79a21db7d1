import { describe, expect, it } from 'vitest';
import type { Binding, ClusterRole, PolicyRule } from '../index.ts';
import {
  aggregatedRules,
  anyOf,
  checkBindingWrite,
  checkRoleWrite,
  defaultPolicy,
  RbacIndex,
  superusers,
  uncovered,
} from '../index.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const clusterRole = (name: string, rules: readonly PolicyRule[], labels?: Record<string, string>): ClusterRole => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name, ...(labels ? { labels } : {}) },
  rules,
});
const bindingOf = (name: string, role: string, user: string): Binding => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: user }],
});

function scopeFor(name: string, ...grants: PolicyRule[]) {
  const index = new RbacIndex();
  const { roles, bindings } = defaultPolicy();
  index.replace([...roles, ...bindings, clusterRole('mine', grants), bindingOf('mine', 'mine', name)]);
  return { user: { name, groups: ['system:authenticated'] }, index, authorizer: anyOf([superusers, index]) };
}
const readPods: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

describe('checkRoleWrite', () => {
  it('When a role holds more than its writer, it should be refused with what is missing', async () => {
    const wanted = clusterRole('new', [{ verbs: ['get', 'delete', 'watch'], apiGroups: [''], resources: ['pods'] }]);
    await expect(checkRoleWrite(scopeFor('dev', readPods), wanted)).rejects.toMatchObject({
      code: 403,
      message:
        'clusterroles.rbac.authorization.k8s.io "new" is forbidden: user "dev" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "watch"]}',
    });
  });

  it('When the writer holds it all, may escalate, or is superuser, it should pass', async () => {
    const wanted = clusterRole('new', [readPods]);
    await checkRoleWrite(scopeFor('dev', readPods), wanted);
    const escalate = { verbs: ['escalate'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] };
    await checkRoleWrite(
      scopeFor('dev', escalate),
      clusterRole('new', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]),
    );
    const root = { ...scopeFor('root'), user: { name: 'root', groups: ['system:masters'] } };
    await expect(checkRoleWrite(root, wanted)).resolves.toBeUndefined();
  });

  it('When an aggregation rule is used without cluster-admin, it should be refused', async () => {
    const wanted: ClusterRole = {
      ...clusterRole('agg', []),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    };
    await expect(checkRoleWrite(scopeFor('dev', readPods), wanted)).rejects.toThrow(
      'must have cluster-admin privileges',
    );
  });
});

describe('checkBindingWrite', () => {
  it('When the role holds more than the binder, it should be refused unless bind is allowed', async () => {
    const wanted = bindingOf('b', 'cluster-admin', 'dev');
    await expect(checkBindingWrite(scopeFor('dev', readPods), wanted, '')).rejects.toThrow(
      'clusterrolebindings.rbac.authorization.k8s.io "b" is forbidden: user "dev" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}',
    );
    const bind = {
      verbs: ['bind'],
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      resourceNames: ['cluster-admin'],
    };
    await checkBindingWrite(scopeFor('dev', bind), wanted, '');
    await expect(checkBindingWrite(scopeFor('dev', bind), bindingOf('b', 'nope', 'dev'), '')).rejects.toMatchObject({
      code: 404,
    });
  });
});

describe('uncovered', () => {
  it.each<[string, PolicyRule, PolicyRule, number]>([
    [
      'stars own everything',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['a', 'b'], apiGroups: ['x'], resources: ['y/z'] },
      0,
    ],
    ['names are narrower', { ...readPods, resourceNames: ['a'] }, readPods, 2],
    ['names are wider', readPods, { ...readPods, resourceNames: ['a'] }, 0],
    [
      'a subresource star owns one',
      { verbs: ['get'], apiGroups: [''], resources: ['*/log'] },
      { verbs: ['get'], apiGroups: [''], resources: ['pods/log'] },
      0,
    ],
    [
      'a URL star owns those below',
      { verbs: ['get'], nonResourceURLs: ['/a/*'] },
      { verbs: ['get'], nonResourceURLs: ['/a/b', '/c'] },
      1,
    ],
    [
      'resources do not own URLs',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['get'], nonResourceURLs: ['/a'] },
      1,
    ],
  ])('When %s, it should count what is left', (_, owned, wanted, left) => {
    expect(uncovered([owned], [wanted])).toHaveLength(left);
  });
});

describe('aggregatedRules', () => {
  it('When labelled roles come and go, it should gather theirs and then nothing more', () => {
    const gathering: ClusterRole = {
      ...clusterRole('all', []),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    };
    const part = clusterRole('part', [readPods], { a: 'b' });
    const other = clusterRole('other', [readPods], { a: 'c' });
    expect(aggregatedRules(gathering, [other, part, gathering])).toEqual([readPods]);
    expect(aggregatedRules({ ...gathering, rules: [readPods] }, [part])).toBeUndefined();
    expect(aggregatedRules({ ...gathering, rules: [readPods] }, [])).toEqual([]);
    expect(aggregatedRules(part, [other])).toBeUndefined();
  });
});
