import { describe, expect, it } from 'vitest';
import { toGoForm } from './go-form.ts';

const pod = { group: '', version: 'v1', kind: 'Pod' };
const configMap = { group: '', version: 'v1', kind: 'ConfigMap' };
const node = { group: '', version: 'v1', kind: 'Node' };
const claim = { group: '', version: 'v1', kind: 'PersistentVolumeClaim' };

function goForm(object: Record<string, unknown>, gvk: typeof pod) {
  toGoForm(object, gvk);
  return object;
}

// Seen in the answers of kube-apiserver 1.37.
describe('toGoForm', () => {
  it.each([
    ['an empty map', { data: {} }, configMap, { metadata: {} }],
    ['a null in a map of bytes', { binaryData: { a: null } }, configMap, { metadata: {}, binaryData: { a: '' } }],
    ['a pointer to false', { immutable: false }, configMap, { metadata: {}, immutable: false }],
    ['a pointer to ""', { spec: { storageClassName: '' } }, claim, { spec: { storageClassName: '', resources: {} } }],
    ['an empty list', { spec: { containers: [{ name: 'a', command: [] }] } }, pod, undefined],
    ['a false that is omitted', { spec: { hostNetwork: false, containers: [{ name: 'a' }] } }, pod, undefined],
    [
      'a null item',
      { spec: { containers: [{ name: 'a' }], tolerations: [null] } },
      pod,
      { spec: { tolerations: [{}] } },
    ],
    [
      'a name that is missing',
      { spec: { containers: [{}] } },
      pod,
      { spec: { containers: [{ name: '', resources: {} }] } },
    ],
    ['an empty struct', { status: {} }, node, { status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } } } }],
  ])('When there is %s, it should be printed as Go prints it', (_, object, gvk, expected) => {
    const plain = { spec: { containers: [{ name: 'a', resources: {} }] }, status: {} };
    expect(goForm(object as Record<string, unknown>, gvk)).toMatchObject(expected ?? plain);
    if (expected === undefined) expect(object).toEqual({ metadata: {}, ...plain });
  });

  it('When an object has been through it, it should not change again', () => {
    const once = goForm({ spec: { containers: [{ name: 'a', env: [{}], ports: [null] }] } }, pod);
    expect(goForm(structuredClone(once), pod)).toEqual(once);
  });
});
