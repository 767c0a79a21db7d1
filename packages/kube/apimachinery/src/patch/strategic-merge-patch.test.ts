import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { deepFreeze } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { applyStrategicMergePatch } from './index.ts';

const mergeBy = (key: string): Partial<Schema> => ({
  'x-kubernetes-patch-merge-key': key,
  'x-kubernetes-patch-strategy': 'merge',
});
const container: Schema = {
  properties: {
    name: { type: 'string' },
    image: { type: 'string' },
    args: { type: 'array', items: { type: 'string' } },
    ports: { type: 'array', items: { type: 'object' }, ...mergeBy('containerPort') },
  },
};
const schema: Schema = {
  properties: {
    containers: { type: 'array', items: container, ...mergeBy('name') },
    finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
    strategy: {
      allOf: [{ properties: { type: {}, rollingUpdate: { type: 'object' } } }],
      'x-kubernetes-patch-strategy': 'retainKeys',
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    command: { type: 'array', items: { type: 'string' } },
    selector: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
  },
};

const a = { name: 'a', image: '1', ports: [{ containerPort: 80, name: 'http' }] };
const b = { name: 'b', image: '1' };
const c = { name: 'c', image: '1' };

function patched(original: JsonObject, patch: JsonObject): JsonObject {
  return applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), schema);
}

function failure(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('applyStrategicMergePatch', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'an item with a known key is given',
      { containers: [a, b] },
      { containers: [{ name: 'b', image: '2' }] },
      { containers: [a, { name: 'b', image: '2' }] },
    ],
    [
      'an item with a new key is given',
      { containers: [a] },
      { containers: [{ name: 'z', image: '2', args: null }] },
      { containers: [{ name: 'z', image: '2' }, a] },
    ],
    [
      'an item is deleted',
      { containers: [a, b] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [b] },
    ],
    [
      'the list is replaced',
      { containers: [a, b] },
      { containers: [{ $patch: 'replace' }, { name: 'z' }] },
      { containers: [{ name: 'z' }] },
    ],
    [
      'lists are nested',
      { containers: [a] },
      { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] }] },
      { containers: [{ ...a, ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] }] },
    ],
    [
      'an order is given',
      { containers: [a, b, c] },
      {
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
        containers: [{ name: 'b', image: '2' }],
      },
      { containers: [c, a, { name: 'b', image: '2' }] },
    ],
    [
      'only an order is given and the server has more',
      { containers: [a, b, c] },
      { '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }] },
      { containers: [a, c, b] },
    ],
    ['scalars merge', { finalizers: ['x', 'y'] }, { finalizers: ['z', 'x'] }, { finalizers: ['z', 'x', 'y'] }],
    [
      'scalars are removed',
      { finalizers: ['x', 'y'] },
      { '$deleteFromPrimitiveList/finalizers': ['x'] },
      { finalizers: ['y'] },
    ],
    [
      'scalars are removed, added and ordered',
      { finalizers: ['x', 'y'] },
      { '$deleteFromPrimitiveList/finalizers': ['x'], '$setElementOrder/finalizers': ['w', 'y'], finalizers: ['w'] },
      { finalizers: ['w', 'y'] },
    ],
    ['a list has no strategy', { command: ['a', 'b'] }, { command: ['c'] }, { command: ['c'] }],
    ['a map merges', { labels: { a: '1', b: '2' } }, { labels: { a: null, c: '3' } }, { labels: { b: '2', c: '3' } }],
    ['a map is replaced', { labels: { a: '1' } }, { labels: { $patch: 'replace', c: '3' } }, { labels: { c: '3' } }],
    ['a map is deleted', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, { labels: {} }],
    ['a map has the replace strategy', { selector: { a: '1' } }, { selector: { b: '2' } }, { selector: { b: '2' } }],
    [
      'keys are retained',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    ['a member is deleted', { command: ['a'], labels: {} }, { command: null }, { labels: {} }],
    [
      'a directive meets nothing',
      {},
      { labels: { $patch: 'delete' }, containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [] },
    ],
  ])('When %s, it should merge as kubectl expects', (_, original, patch, expected) => {
    expect(patched(original, patch)).toEqual(expected);
  });

  it('When nothing changes, it should return the very same object', () => {
    const original = deepFreeze({ containers: [a, b], labels: { x: 'y' } });
    expect(
      applyStrategicMergePatch(original, { containers: [{ name: 'b', image: '1' }], labels: { x: 'y' } }, schema),
    ).toBe(original);
  });

  it.each<[string, JsonObject, number, string]>([
    [
      'no merge key',
      { containers: [{ image: '2' }] },
      500,
      'map: map[image:2] does not contain declared merge key: name',
    ],
    ['an unknown directive', { labels: { $patch: 'frob' } }, 500, 'unknown patch type: frob in map: map[$patch:frob]'],
    [
      'keys outside retainKeys',
      { strategy: { $retainKeys: ['type'], rollingUpdate: {} } },
      400,
      'invalid patch format of retainKeys',
    ],
    [
      'a contradicting order',
      { '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a' }] },
      500,
      "doesn't match $setElementOrder list",
    ],
    ['lists of lists', { finalizers: [['x']] }, 422, 'the server rejected our request due to an error in our request'],
  ])('When the patch has %s, it should be refused', (_, patch, code, message) => {
    const original = { containers: [a, b], labels: { x: 'y' }, strategy: { type: 'Recreate' }, finalizers: ['x'] };
    expect(failure(() => patched(original, patch))).toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });
});
