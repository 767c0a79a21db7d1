import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Draft } from './behaviour.ts';
import { builtinBehaviours } from './index.ts';

const scope = { now: 0, user: { name: 'a', groups: [] }, dryRun: false };

function created(kind: string, object: Draft): Draft {
  const draft: Draft = { metadata: { name: 'x', uid: 'u' }, ...object };
  builtinBehaviours[kind]!.defaults?.(draft);
  builtinBehaviours[kind]!.prepareForCreate?.(draft, scope);
  return draft;
}

const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };
const claimSource = { kind: 'PersistentVolumeClaim', name: 'src' };

// Seen in the answers of kube-apiserver 1.37.
describe('what a new object looks like', () => {
  it.each<[string, string, Draft, Draft]>([
    [
      'a job without labels takes those of its template',
      'jobs.batch',
      { spec: { template } },
      { metadata: { labels: { 'job-name': 'x', 'controller-uid': 'u' } } },
    ],
    [
      'a rolling stateful set replaces one pod at a time',
      'statefulsets.apps',
      { spec: { template } },
      { spec: { updateStrategy: { rollingUpdate: { partition: 0, maxUnavailable: 1 } } } },
    ],
    [
      'a daemon set counts its templates',
      'daemonsets.apps',
      { spec: { template } },
      { metadata: { annotations: { 'deprecated.daemonset.template.generation': '1' } } },
    ],
    [
      'a claim made of another says so twice',
      'persistentvolumeclaims',
      { spec: { dataSource: claimSource } },
      { spec: { dataSource: claimSource, dataSourceRef: claimSource } },
    ],
    [
      'a node has its first pod range twice',
      'nodes',
      { spec: { podCIDR: '10.1.0.0/24' } },
      { spec: { podCIDRs: ['10.1.0.0/24'] } },
    ],
  ])('When it is created, %s', (_, kind, object, expected) => {
    expect(created(kind, object)).toMatchObject(expected);
  });

  it('When a claim is made of something else, its dataSource should be dropped', () => {
    expect(
      created('persistentvolumeclaims', { spec: { dataSource: { kind: 'Other', name: 'x' } } })['spec'],
    ).not.toHaveProperty('dataSource');
  });

  it('When a lease asks for coordinated election, it should be dropped', () => {
    const lease = created('leases.coordination.k8s.io', {
      spec: { holderIdentity: 'h', strategy: 'OldestEmulationVersion', preferredHolder: 'p' },
    });
    expect(lease['spec']).toEqual({ holderIdentity: 'h' });
  });

  it('When the template of a daemon set changes, it should be counted', () => {
    const old = created('daemonsets.apps', { spec: { template } });
    const next = created('daemonsets.apps', {
      spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
    });
    builtinBehaviours['daemonsets.apps']!.prepareForUpdate!(next, old as unknown as UnstructuredObject, scope);
    expect(next['metadata'].annotations).toEqual({ 'deprecated.daemonset.template.generation': '2' });
  });
});

function refused(kind: string, object: Draft): readonly string[] {
  const draft = created(kind, object);
  return builtinBehaviours[kind]!.validate!(draft as unknown as UnstructuredObject).map(({ field }) => field);
}

describe('what a new object may not be', () => {
  const pod = (spec: Draft): Draft => ({ spec: { ...template.spec, ...spec } });
  const ports = [{ port: 80, appProtocol: 'not ok!' }];
  it.each<[string, string, Draft, string]>([
    ['a protocol that is no name', 'services', { spec: { ports, type: 'ClusterIP' } }, 'spec.ports[0].appProtocol'],
    [
      'a source range that is none',
      'services',
      { spec: { ports: [{ port: 80 }], type: 'LoadBalancer', loadBalancerSourceRanges: ['x'] } },
      'spec.LoadBalancerSourceRanges[0]',
    ],
    [
      'a search path that is none',
      'pods',
      pod({ dnsConfig: { searches: ['Not_Valid! x'] } }),
      'spec.dnsConfig.searches[0]',
    ],
    [
      'a kernel setting that is none',
      'pods',
      pod({ securityContext: { sysctls: [{ name: 'Not Valid', value: '1' }] } }),
      'spec.securityContext.sysctls[0].name',
    ],
    [
      'a network setting of the host',
      'pods',
      pod({ hostNetwork: true, securityContext: { sysctls: [{ name: 'net.ipv4.x', value: '1' }] } }),
      'spec.securityContext.sysctls[0].name',
    ],
    ['a limit without type', 'limitranges', { spec: { limits: [{}] } }, 'spec.limits[0].type'],
    [
      'a scope nobody knows',
      'resourcequotas',
      { spec: { scopeSelector: { matchExpressions: [{ scopeName: 'x', operator: 'Exists' }] } } },
      'spec.scopeSelector.matchExpressions.scopeName',
    ],
  ])('When it has %s, it should be refused', (_, kind, object, field) => {
    expect(refused(kind, object)).toContain(field);
  });

  it.each(['a.b', 'a_b.c', 'a.b.', '.'])('When a search path is %j, it should be accepted', (search) => {
    expect(refused('pods', pod({ dnsConfig: { searches: [search] } }))).toEqual([]);
  });
});
