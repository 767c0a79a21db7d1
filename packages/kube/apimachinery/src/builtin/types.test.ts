import { describe, expect, it } from 'vitest';
import type { KubeObject, ResourceType } from '../object.ts';
import { appsv1, type corev1 } from './generated/index.ts';
import * as namespaces from './generated/index.ts';
import { builtinResources } from './resources.ts';

/** The type of a resource's objects, as a client would infer it. */
function readsAs<T extends KubeObject>(type: ResourceType<T>, object: T): { type: ResourceType<T>; object: T } {
  return { type, object };
}

describe('types of the built-in kinds', () => {
  it('When a resource constant is used, its objects should have the type of the kind', () => {
    const { type, object } = readsAs(appsv1.deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    });
    expect(type).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      resource: 'deployments',
      namespaced: true,
    });
    expect(object.spec.template.spec.containers[0]?.image).toBe('web:1');
  });

  it('When a kind has no required fields in its spec, the spec may be left out', () => {
    const namespace: corev1.Namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
    expect(namespace.spec?.finalizers).toBeUndefined();
  });

  it('When a resource is served, there should be one constant that says the same', () => {
    const constants = Object.values(namespaces).flatMap((namespace) => Object.values(namespace) as ResourceType[]);
    const served = builtinResources().flatMap(({ group, version, resources }) =>
      resources.map(({ name, kind, namespaced }) => ({ group, version, kind, resource: name, namespaced })),
    );
    expect(constants).toHaveLength(served.length);
    expect(constants).toEqual(expect.arrayContaining(served));
  });
});
