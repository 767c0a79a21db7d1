import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { newestOf, nextOperation } from './generation.ts';
import { findNested, withFeedbackStatus } from './manifest-work-contents.ts';

const anObject = (generation?: number | string, name = 'a'): UnstructuredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    ...(generation === undefined ? {} : { annotations: { 'hyperfleet.io/generation': String(generation) } }),
  },
});

describe('nextOperation', () => {
  it.each<[UnstructuredObject, UnstructuredObject | undefined, boolean, string, string]>([
    [anObject(1), undefined, false, 'create', 'resource not found'],
    [anObject(2), anObject(2), false, 'skip', 'generation 2 unchanged'],
    [anObject(3), anObject(2), false, 'update', 'generation changed 2->3'],
    [anObject(1), anObject(2), false, 'update', 'generation changed 2->1'],
    [anObject(3), anObject(2), true, 'recreate', 'generation changed 2->3'],
    [anObject(), anObject(), false, 'skip', 'generation 0 unchanged'],
    [anObject('x'), anObject(), false, 'skip', 'generation 0 unchanged'],
  ])('When %# generations meet, it should decide', (desired, existing, recreate, operation, reason) => {
    expect(nextOperation(desired, existing, recreate)).toEqual({ operation, reason });
  });
});

describe('newestOf', () => {
  it('When several match, it should take the highest generation, then the first name', () => {
    expect(newestOf([anObject(1, 'x'), anObject(3, 'z'), anObject(3, 'y')])?.metadata.name).toBe('y');
    expect(newestOf([])).toBeUndefined();
  });
});

describe('findNested', () => {
  const work: UnstructuredObject = {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name: 'w', namespace: 'c1' },
    spec: {
      workload: {
        manifests: [
          { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'demo', namespace: 'clusters' } },
          {
            apiVersion: 'hypershift.openshift.io/v1beta1',
            kind: 'HostedCluster',
            metadata: { name: 'demo', namespace: 'clusters', labels: { a: 'b' } },
          },
        ],
      },
    },
    status: {
      resourceStatus: {
        manifests: [
          { resourceMeta: { group: '', kind: 'Secret', name: 'demo', namespace: 'clusters' }, statusFeedback: {} },
          {
            resourceMeta: {
              group: 'hypershift.openshift.io',
              kind: 'HostedCluster',
              name: 'demo',
              namespace: 'clusters',
            },
            conditions: [{ type: 'Applied', status: 'True' }],
            statusFeedback: { values: [{ name: 'status', fieldValue: { type: 'JsonRaw', jsonRaw: '{"x":1}' } }] },
          },
        ],
      },
    },
  };

  it('When two kinds share a name, it should attach the report of the right one', () => {
    const found = findNested(work, { labels: { a: 'b' } });
    expect(found).toMatchObject({ kind: 'HostedCluster', conditions: [{ type: 'Applied' }] });
    expect(withFeedbackStatus(found!, 'status')['status']).toEqual({ x: 1 });
    expect(withFeedbackStatus(found!, 'nothing')['status']).toEqual({});
  });

  it('When nothing matches, it should find nothing', () => {
    expect(findNested(work, { name: 'other' })).toBeUndefined();
    expect(findNested({ ...work, spec: undefined }, { name: 'demo' })).toBeUndefined();
  });
});
