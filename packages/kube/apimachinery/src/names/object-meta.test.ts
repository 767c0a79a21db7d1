import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../field-error.ts';
import type { ObjectMeta } from '../object.ts';
import { nameIsDNSSubdomain, validateObjectMeta, validateObjectMetaUpdate } from './index.ts';

const rules = { namespaced: true, name: nameIsDNSSubdomain };
const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u1', controller: true };

function created(meta: ObjectMeta, namespaced = true): string[] {
  return validateObjectMeta(
    { name: 'a', ...(namespaced ? { namespace: 'n' } : {}), ...meta },
    { ...rules, namespaced },
  ).map(formatFieldError);
}

describe('validateObjectMeta', () => {
  it('When everything is in order, it should find nothing', () => {
    const labels = { 'app.kubernetes.io/name': 'web', x: '' };
    expect(created({ labels, annotations: { 'Example.com/A': '\u0000' }, ownerReferences: [owner] })).toEqual([]);
  });

  it.each<[string, ObjectMeta, string]>([
    ['no name', { name: '' }, 'metadata.name: Required value: name or generateName is required'],
    ['no namespace', { namespace: '' }, 'metadata.namespace: Required value'],
    ['a bad name', { name: 'A' }, 'metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist'],
    ['a bad namespace', { namespace: 'a.b' }, 'metadata.namespace: Invalid value: "a.b": must not contain dots'],
    ['a bad prefix', { generateName: 'A_b-' }, 'metadata.generateName: Invalid value: "A_b-": a lowercase RFC 1123'],
    [
      'a bad generation',
      { generation: -1 },
      'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['a bad label key', { labels: { 'a/b/c': '' } }, 'metadata.labels: Invalid value: "a/b/c": a valid label key must'],
    [
      'a bad label value',
      { labels: { a: 'b c' } },
      'metadata.labels: Invalid value: "b c": a valid label must be an empty',
    ],
    ['a bad finalizer', { finalizers: ['a b'] }, 'metadata.finalizers: Invalid value: "a b": name part must consist'],
    [
      'contradicting finalizers',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      'finalizer orphan and foregroundDeletion cannot be both set',
    ],
    [
      'large annotations',
      { annotations: { a: 'é'.repeat(131_072) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    [
      'an owner without uid',
      { ownerReferences: [{ ...owner, uid: '' }] },
      'metadata.ownerReferences[0].uid: Required value: must not be empty',
    ],
    [
      'an owner of strange version',
      { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
      'metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be <group>/<version> or <version>',
    ],
    [
      'two controllers',
      { ownerReferences: [owner, { ...owner, name: 'api', uid: 'u2' }] },
      'Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/web and ReplicaSet/api',
    ],
    [
      'an event as owner',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }] },
      '/v1, Kind=Event is disallowed from being an owner',
    ],
    [
      'managedFields without operation',
      { managedFields: [{ manager: 'm' }] },
      'metadata.managedFields[0].operation: Required value: must not be empty',
    ],
    [
      'an unprintable manager',
      { managedFields: [{ manager: 'a\u0001', operation: 'Apply' }] },
      'metadata.managedFields[0].manager: Invalid value: "a\\u0001": invalid character U+0001 (at position 1)',
    ],
  ])('When metadata has %s, it should say so', (_, meta, message) => {
    const errors = created(meta);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(message);
  });

  it('When a cluster-scoped object names a namespace, it should forbid it', () => {
    expect(created({ namespace: 'n' }, false)).toEqual(['metadata.namespace: Forbidden: not allowed on this type']);
  });
});

describe('validateObjectMetaUpdate', () => {
  const stored: ObjectMeta = {
    name: 'a',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '7',
    generation: 3,
    creationTimestamp: '2026-01-01T00:00:00Z',
    finalizers: ['x.io/a'],
  };
  const updated = (next: ObjectMeta, previous: ObjectMeta = stored) =>
    validateObjectMetaUpdate({ ...previous, ...next }, previous).map(formatFieldError);

  it.each<[string, ObjectMeta, string[]]>([
    ['nothing', {}, []],
    ['the name', { name: 'b' }, ['metadata.name: Invalid value: "b": field is immutable']],
    ['the uid', { uid: 'v' }, ['metadata.uid: Invalid value: "v": field is immutable']],
    ['the generation down', { generation: 2 }, ['metadata.generation: Invalid value: 2: must not be decremented']],
    [
      'the resourceVersion away',
      { resourceVersion: '' },
      ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
    ],
    [
      'the deletionTimestamp',
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      ['metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable'],
    ],
  ])('When an update changes %s, it should judge it', (_, next, messages) => {
    expect(updated(next)).toEqual(messages);
  });

  it('When the object is being deleted, it should refuse new finalizers only', () => {
    const deleting = { ...stored, deletionTimestamp: '2026-01-02T00:00:00Z' };
    expect(updated({ finalizers: [] }, deleting)).toEqual([]);
    expect(updated({ finalizers: ['x.io/a', 'x.io/c', 'x.io/b'] }, deleting)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.io/b", "x.io/c"}',
    ]);
  });
});
