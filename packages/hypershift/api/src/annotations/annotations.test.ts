import { isQualifiedName } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { finalizers } from '../finalizers/index.ts';
import { labels } from '../labels/index.ts';
import { annotations, isMirroredAnnotation } from './index.ts';

describe.each([
  { what: 'annotations', keys: Object.values(annotations).map(({ key }) => key as string) },
  { what: 'labels', keys: Object.values(labels).map(({ key }) => key as string) },
  { what: 'finalizers', keys: Object.values(finalizers).map(({ key }) => key as string) },
])('$what', ({ keys }) => {
  it('When they are listed, it should name each key once and write it as Kubernetes demands', () => {
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.flatMap((key) => isQualifiedName(key.toLowerCase()))).toEqual([]);
  });
});

describe('isMirroredAnnotation', () => {
  it.each([
    ['hypershift.openshift.io/cleanup-cloud-resources', true],
    ['resource-request-override.hypershift.openshift.io/kube-apiserver.kube-apiserver', true],
    ['hypershift.openshift.io/force-upgrade-to', false],
    ['example.com/mine', false],
  ])('When asked about %s, it should answer %s', (key, mirrored) => {
    expect(isMirroredAnnotation(key)).toBe(mirrored);
  });
});
