import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { builtinBehaviours } from '../index.ts';
import type { Draft } from '../behaviour.ts';

const behaviour = builtinBehaviours['statefulsets.apps']!;

function statefulSet(claims: readonly string[]): UnstructuredObject {
  const draft: Draft = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'etcd', namespace: 'demo' },
    spec: {
      serviceName: 'etcd',
      selector: { matchLabels: { app: 'etcd' } },
      template: {
        metadata: { labels: { app: 'etcd' } },
        spec: {
          containers: [{ name: 'etcd', image: 'etcd', volumeMounts: [{ name: 'data', mountPath: '/var/lib/data' }] }],
        },
      },
      volumeClaimTemplates: claims.map((name) => ({
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Gi' } } },
      })),
    },
  };
  behaviour.defaults?.(draft);
  return draft as unknown as UnstructuredObject;
}

describe('volumes of a StatefulSet', () => {
  it('When a container mounts a claim template, it should be accepted', () => {
    expect(behaviour.validate?.(statefulSet(['data']))).toEqual([]);
  });

  it('When a container mounts what neither volumes nor claims bring, it should be refused', () => {
    expect(behaviour.validate?.(statefulSet(['other'])).map(({ field }) => field)).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name',
    ]);
  });
});
