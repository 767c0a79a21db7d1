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
