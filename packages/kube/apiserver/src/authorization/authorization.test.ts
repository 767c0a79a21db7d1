import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Attributes, Binding, ClusterRole } from './index.ts';
import {
  answerAccessReview,
  answerRulesReview,
  authorizerFor,
  defaultPolicy,
  forbidden,
  NodeGraph,
  nodeAuthorizer,
  policyChanges,
  RbacIndex,
} from './index.ts';

const base: Attributes = {
  user: { name: 'jane', groups: ['system:authenticated'] },
  verb: 'list',
  isResource: true,
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  name: '',
  namespace: 'default',
  path: '',
};

function defaultIndex(...more: KubeObject[]): RbacIndex {
  const { roles, bindings } = defaultPolicy();
  const index = new RbacIndex();
  index.replace([...roles, ...bindings, ...more]);
  return index;
}
const grant = (role: string, user: string): Binding => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: `${role}-${user}`, namespace: 'default' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: user }],
});

describe('default policy', () => {
  const index = defaultIndex(grant('view', 'viewer'), grant('edit', 'editor'), grant('admin', 'boss'));
  const can = (
    user: string,
    verb: string,
    group: string,
    resource: string,
    namespace = 'default',
    groups: string[] = [],
  ) =>
    index.authorize({ ...base, user: { name: user, groups }, verb, group, resource, namespace }).decision === 'allow';

  it('When view, edit and admin are bound, it should give each what its name says', () => {
    expect(can('viewer', 'list', 'apps', 'deployments')).toBe(true);
    expect(can('viewer', 'get', '', 'secrets')).toBe(false);
    expect(can('viewer', 'create', '', 'pods')).toBe(false);
    expect(can('editor', 'get', '', 'secrets')).toBe(true);
    expect(can('editor', 'list', '', 'pods')).toBe(true);
    expect(can('editor', 'create', 'rbac.authorization.k8s.io', 'roles')).toBe(false);
    expect(can('boss', 'create', 'rbac.authorization.k8s.io', 'roles')).toBe(true);
    expect(can('boss', 'list', '', 'pods')).toBe(true);
    expect(can('boss', 'list', '', 'pods', 'other')).toBe(false);
  });

  it('When anybody is authenticated, it should let them ask about themselves and discover', () => {
    const anybody = { name: 'x', groups: ['system:authenticated'] };
    const url = (path: string, groups = anybody.groups) =>
      index.authorize({ ...base, isResource: false, verb: 'get', path, user: { name: 'x', groups } }).decision;
    expect(can('x', 'create', 'authorization.k8s.io', 'selfsubjectaccessreviews', '', anybody.groups)).toBe(true);
    expect(url('/apis/apps/v1')).toBe('allow');
    expect(url('/livez')).toBe('allow');
    expect(url('/livez', ['system:unauthenticated'])).toBe('allow');
    expect(url('/apis', ['system:unauthenticated'])).toBe('no-opinion');
    expect(url('/metrics')).toBe('no-opinion');
  });

  it('When components use their users and accounts, it should let them work', () => {
    expect(can('system:kube-scheduler', 'create', '', 'bindings')).toBe(true);
    expect(can('system:kube-controller-manager', 'list', 'anything.example', 'things', '')).toBe(true);
    expect(can('system:serviceaccount:kube-system:deployment-controller', 'update', 'apps', 'deployments')).toBe(true);
  });

  it('When our controllers would patch where those of Kubernetes update, it should refuse as other servers do', () => {
    const account = (name: string) => `system:serviceaccount:kube-system:${name}`;
    expect(can(account('deployment-controller'), 'patch', 'apps', 'deployments')).toBe(false);
    expect(can(account('pvc-protection-controller'), 'patch', '', 'persistentvolumeclaims')).toBe(false);
  });

  it('When it is shared, it should be frozen', () => {
    expect(Object.isFrozen(defaultPolicy().roles[0]?.rules)).toBe(true);
    expect(defaultPolicy()).toBe(defaultPolicy());
  });
});

describe('policyChanges', () => {
  const key = (kind: string, namespace: string, name: string) => `${kind}/${namespace}/${name}`;
  const stored = new Map<string, KubeObject>(
    [...defaultPolicy().roles, ...defaultPolicy().bindings].map((object) => [
      key(object.kind, object.metadata.namespace ?? '', object.metadata.name ?? ''),
      object,
    ]),
  );
  const changesWith = (...changed: KubeObject[]) => {
    const now = new Map(stored);
    for (const one of changed) now.set(key(one.kind, one.metadata.namespace ?? '', one.metadata.name ?? ''), one);
    return policyChanges((kind, namespace, name) => now.get(key(kind, namespace, name)));
  };
  const view = stored.get('ClusterRole//system:aggregate-to-view') as ClusterRole;

  it('When the cluster is empty, it should create all; when all is there, nothing', () => {
    expect(policyChanges(() => undefined)).toHaveLength(stored.size);
    expect(changesWith()).toEqual([]);
  });

  it('When rules were removed, it should add them and keep those an administrator added', () => {
    const own = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] };
    const [change, ...rest] = changesWith({
      ...view,
      metadata: { ...view.metadata, resourceVersion: '7' },
      rules: [own, ...(view.rules ?? []).slice(1)],
    } as ClusterRole);
    expect(rest).toEqual([]);
    expect(change).toMatchObject({ action: 'update', object: { metadata: { resourceVersion: '7' } } });
    expect(change).toMatchObject({ object: { rules: expect.arrayContaining([own]) as unknown } });
  });

  it('When auto-update is switched off, it should leave the object alone', () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    expect(changesWith({ ...view, metadata: { ...view.metadata, annotations }, rules: [] } as ClusterRole)).toEqual([]);
  });

  it('When a subject is missing it should add it, when the role differs it should recreate', () => {
    const binding = stored.get('ClusterRoleBinding//cluster-admin') as Binding;
    expect(changesWith({ ...binding, subjects: [{ kind: 'User', name: 'me' }] } as Binding)).toMatchObject([
      { action: 'update', object: { subjects: [{ name: 'me' }, { name: 'system:masters' }] } },
    ]);
    expect(changesWith({ ...binding, roleRef: { ...binding.roleRef, name: 'view' } } as Binding)).toMatchObject([
      { action: 'recreate', object: { roleRef: { name: 'cluster-admin' } } },
    ]);
  });
});

describe('authorizerFor', () => {
  it('When modes are chosen, it should put superusers first and refuse unknown ones', async () => {
    const deny = authorizerFor(['AlwaysDeny'], {});
    expect((await deny.authorize({ ...base, user: { name: 'r', groups: ['system:masters'] } })).decision).toBe('allow');
    expect(await deny.authorize(base)).toEqual({ decision: 'no-opinion', reason: 'Everything is forbidden.' });
    expect((await authorizerFor(['RBAC', 'AlwaysAllow'], { RBAC: defaultIndex() }).authorize(base)).decision).toBe(
      'allow',
    );
    expect(() => authorizerFor(['Rbac'], {})).toThrow('not a valid');
    expect(() => authorizerFor(['RBAC', 'RBAC'], { RBAC: defaultIndex() })).toThrow('twice');
  });

  it('When an authorizer answers later, it should wait and then go on', async () => {
    const later = { authorize: () => Promise.resolve({ decision: 'no-opinion' as const, reason: 'slow' }) };
    const both = authorizerFor(['Webhook', 'AlwaysDeny'], { Webhook: later });
    expect(await both.authorize(base)).toEqual({ decision: 'no-opinion', reason: 'slow\nEverything is forbidden.' });
  });
});

describe('forbidden', () => {
  it.each<[string, Partial<Attributes>, string, string]>([
    [
      'in a namespace',
      {},
      '',
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
    [
      'at cluster scope',
      { namespace: '', group: 'apps', resource: 'deployments' },
      '',
      'deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [
      'about a subresource',
      { verb: 'create', subresource: 'exec', name: 'p' },
      '',
      'pods "p" is forbidden: User "jane" cannot create resource "pods/exec" in API group "" in the namespace "default"',
    ],
    [
      'with a reason',
      {},
      'RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default": RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
    ],
    [
      'about a path',
      { isResource: false, verb: 'get', path: '/metrics' },
      '',
      'forbidden: User "jane" cannot get path "/metrics"',
    ],
    [
      'with markup in the name',
      { user: { name: '<b>', groups: [] } },
      '',
      'pods is forbidden: User "&lt;b&gt;" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
  ])('When denied %s, it should read like Kubernetes', (_, what, reason, message) => {
    expect(forbidden({ ...base, ...what }, reason)).toMatchObject({ code: 403, reason: 'Forbidden', message });
  });
});

describe('reviews', () => {
  const index = defaultIndex(grant('view', 'viewer'));
  it('When asked about oneself or another, it should answer with the reason', async () => {
    const spec = { resourceAttributes: { namespace: 'default', verb: 'list', resource: 'pods' } };
    const self = await answerAccessReview('SelfSubjectAccessReview', { spec }, { name: 'viewer', groups: [] }, index);
    expect(self).toMatchObject({
      status: {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "view-viewer/default" of ClusterRole "view" to User "viewer"',
      },
    });
    const other = await answerAccessReview(
      'SubjectAccessReview',
      { spec: { ...spec, user: 'joe' } },
      { name: 'viewer', groups: [] },
      index,
    );
    expect(other).toMatchObject({ kind: 'SubjectAccessReview', status: { allowed: false } });
  });

  it.each([
    [
      'SelfSubjectAccessReview',
      {},
      'spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      'SubjectAccessReview',
      { resourceAttributes: {} },
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      'LocalSubjectAccessReview',
      { user: 'x', resourceAttributes: { namespace: 'other' } },
      'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    ],
    [
      'LocalSubjectAccessReview',
      { user: 'x', nonResourceAttributes: { path: '/' } },
      'spec.nonResourceAttributes: Invalid value: {"path":"/"}: disallowed on this kind of request',
    ],
  ] as const)('When a %s is malformed, it should say what is wrong', async (kind, spec, text) => {
    await expect(answerAccessReview(kind, { spec }, base.user, index, 'default')).rejects.toMatchObject({
      code: 422,
      message: `${kind}.authorization.k8s.io "" is invalid: ${text}`,
    });
  });

  it.each([null, [], { spec: 1 }, { spec: { user: 1 } }, { spec: { resourceAttributes: { verb: {} }, user: 'x' } }])(
    'When the body is %j, it should be refused and not fail',
    async (body) => {
      const answer = answerAccessReview('SubjectAccessReview', body, base.user, index);
      await expect(answer).rejects.toMatchObject({ code: 400 });
    },
  );

  it('When rules are listed, it should split resources from URLs', () => {
    const review = answerRulesReview(
      { spec: { namespace: 'default' } },
      { name: 'viewer', groups: ['system:authenticated'] },
      index,
    ) as {
      status: { resourceRules: object[]; nonResourceRules: object[]; incomplete: boolean };
    };
    expect(review.status.incomplete).toBe(false);
    expect(review.status.resourceRules).toContainEqual({
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    });
    expect(review.status.nonResourceRules.length).toBeGreaterThan(0);
  });
});

describe('nodeAuthorizer', () => {
  const graph = new NodeGraph();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'app' },
    spec: {
      nodeName: 'n1',
      serviceAccountName: 'runner',
      volumes: [
        { name: 'd', secret: { secretName: 's1' } },
        { name: 'e', persistentVolumeClaim: { claimName: 'c1' } },
      ],
      containers: [{ envFrom: [{ configMapRef: { name: 'cm' } }] }],
    },
  };
  graph.apply({ type: 'ADDED', object: pod });
  graph.apply({
    type: 'ADDED',
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: {
        claimRef: { namespace: 'app', name: 'c1' },
        csi: { nodeStageSecretRef: { name: 'stage', namespace: 'csi' } },
      },
    } as KubeObject,
  });
  const authorizer = nodeAuthorizer(graph);
  const node = (name: string) => ({ name: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] });
  const can = (who: string, verb: string, resource: string, name: string, more: Partial<Attributes> = {}) =>
    authorizer.authorize({ ...base, user: node(who), verb, resource, name, namespace: 'app', ...more }).decision ===
    'allow';

  it('When a pod on the node uses an object, it should be readable there and nowhere else', () => {
    expect(can('n1', 'get', 'secrets', 's1')).toBe(true);
    expect(can('n2', 'get', 'secrets', 's1')).toBe(false);
    expect(can('n1', 'get', 'secrets', 's2')).toBe(false);
    expect(can('n1', 'list', 'secrets', '')).toBe(false);
    expect(can('n1', 'update', 'secrets', 's1')).toBe(false);
    expect(can('n1', 'watch', 'configmaps', 'cm')).toBe(true);
    expect(can('n1', 'get', 'persistentvolumes', 'pv', { namespace: '' })).toBe(true);
    expect(can('n1', 'get', 'secrets', 'stage', { namespace: 'csi' })).toBe(true);
    expect(can('n2', 'get', 'persistentvolumes', 'pv', { namespace: '' })).toBe(false);
    expect(can('n1', 'create', 'serviceaccounts', 'runner', { subresource: 'token' })).toBe(true);
    expect(can('n2', 'create', 'serviceaccounts', 'runner', { subresource: 'token' })).toBe(false);
  });

  it('When a node touches its own objects, it should be let, and not those of others', () => {
    const lease = { group: 'coordination.k8s.io', namespace: 'kube-node-lease' };
    expect(can('n1', 'update', 'leases', 'n1', lease)).toBe(true);
    expect(can('n1', 'update', 'leases', 'n2', lease)).toBe(false);
    expect(can('n1', 'get', 'nodes', 'n1', { namespace: '' })).toBe(true);
    expect(can('n1', 'get', 'nodes', 'n2', { namespace: '' })).toBe(false);
    expect(can('n1', 'patch', 'pods', 'web', { subresource: 'status' })).toBe(true);
    expect(can('n1', 'list', 'pods', '', { namespace: '' })).toBe(false);
    const fieldSelector = [{ key: 'spec.nodeName', operator: '=', value: 'n1' }] as const;
    expect(can('n1', 'watch', 'pods', '', { namespace: '', fieldSelector })).toBe(true);
    expect(can('n1', 'create', 'certificatesigningrequests', '', { group: 'certificates.k8s.io', namespace: '' })).toBe(
      true,
    );
    expect(can('n1', 'create', 'deployments', '', { group: 'apps' })).toBe(false);
  });

  it('When the pod is gone, it should take the access along', () => {
    graph.apply({ type: 'DELETED', object: pod });
    expect(can('n1', 'get', 'secrets', 's1')).toBe(false);
    expect(can('n1', 'get', 'secrets', 'stage', { namespace: 'csi' })).toBe(false);
  });

  it('When the user is no node, it should have no opinion', () => {
    expect(authorizer.authorize(base)).toEqual({ decision: 'no-opinion', reason: '' });
  });
});
