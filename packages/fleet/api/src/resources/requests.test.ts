import { describe, expect, it } from 'vitest';
import { defaultEntities, type Entity } from '../registry/index.ts';
import { checkReferences } from './reference-rules.ts';
import { createRequest, forceDeleteReason, patchRequest } from './requests.ts';

const cluster = defaultEntities[0] as Entity;
const version = defaultEntities[3] as Entity;
const body = { kind: 'Cluster', name: 'demo', spec: {} };

describe('createRequest', () => {
  it('When the body has members nobody knows, it should ignore them', () => {
    expect(createRequest(cluster, { ...body, id: 'x', status: 1 })).toEqual({
      name: 'demo',
      spec: {},
      labels: {},
      references: {},
    });
  });

  it.each([
    [{ ...body, kind: 'NodePool' }, "kind must be 'Cluster'"],
    [{ name: 'demo', spec: {} }, 'kind is required'],
    [{ ...body, name: 'ab' }, 'name must be at least 3 characters'],
    [{ ...body, name: 'a'.repeat(54) }, 'name must be at most 53 characters'],
    [{ ...body, name: 'Demo' }, 'name must start and end with lowercase letter or number'],
    [{ ...body, name: 'de.mo' }, 'name must start and end'],
    [{ ...body, name: 7 }, "field 'name' must be a string"],
    [{ kind: 'Cluster', name: 'demo' }, 'spec is required'],
    [{ ...body, spec: null }, 'spec is required'],
    [{ ...body, spec: [] }, "field 'spec' must be an object"],
    [{ ...body, labels: { a: 1 } }, "field 'labels.a' must be a string"],
    [{ ...body, labels: { 'a b': 'x' } }, 'label validation failed'],
    [{ ...body, labels: { a: '<script>' } }, 'label validation failed'],
    [{ ...body, references: { a: {} } }, "field 'references.a' must be an array"],
  ])('When the body is %j, it should say: %s', (value, problem) => {
    expect(() => createRequest(cluster, value)).toThrow(problem);
  });

  it('When a kind sets no length limit, it should allow dots in names', () => {
    expect(createRequest(version, { kind: 'Version', name: '4.16.0', spec: {} }).name).toBe('4.16.0');
    expect(() => createRequest(version, { kind: 'Version', name: '4..0', spec: {} })).toThrow('name must start');
  });
});

describe('patchRequest', () => {
  it.each([
    [{}, 'at least one field must be provided for update'],
    [{ spec: null }, 'at least one field'],
    [{ name: 'x' }, 'unknown field "name"'],
    [{ labels: 'x' }, "field 'labels' must be an object"],
  ])('When the body is %j, it should say: %s', (value, problem) => {
    expect(() => patchRequest(value)).toThrow(problem);
  });
});

describe('forceDeleteReason', () => {
  it('When the reason is missing or too long, it should be refused', () => {
    expect(() => forceDeleteReason({})).toThrow('reason is required');
    expect(() => forceDeleteReason({ reason: 'x'.repeat(1025) })).toThrow('at most 1024');
    expect(forceDeleteReason({ reason: '🚀'.repeat(1024) })).toHaveLength(2048);
  });
});

describe('checkReferences', () => {
  const entity: Entity = {
    kind: 'Version',
    plural: 'versions',
    references: [{ ref_type: 'channel', target_kind: 'Channel', min: 1, max: 2 }],
  };
  const to = (id: string, kind = 'Channel') => ({ id, kind });
  it.each([
    [{}, 'required reference type "channel" missing for Version (min 1)'],
    [{ channel: [to('a')], other: [] }, 'unknown reference type "other"'],
    [{ channel: [to('a'), to('b'), to('c')] }, 'exceeds max count 2 (got 3)'],
    [{ channel: [to('a'), to('a')] }, 'duplicate target id "a"'],
    [{ channel: [to('a', 'Cluster')] }, 'does not match expected target kind "Channel"'],
    [{ channel: [to('')] }, 'id is required'],
  ])('When the references are %j, it should say: %s', (references, problem) => {
    expect(() => checkReferences(entity, references)).toThrow(problem);
  });
});
