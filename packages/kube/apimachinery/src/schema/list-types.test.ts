import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../field-error.ts';
import type { Schema } from '../schema-types.ts';
import { validateListTypes } from './index.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    objects: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: {} },
      'x-kubernetes-list-type': 'set',
    },
    byName: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    byPort: {
      type: 'array',
      items: { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    nested: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
    atomic: { type: 'array', items: { type: 'string' } },
  },
};

describe('validateListTypes', () => {
  it.each<[string, unknown, string[]]>([
    ['a set without repetition', { set: ['a', 'b'], atomic: ['a', 'a'] }, []],
    ['a set repeating a value three times', { set: ['a', 'a', 'a'] }, ['set[1]: Duplicate value: "a"']],
    [
      'a set of equal objects',
      {
        objects: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      ['objects[1]: Duplicate value: {"b":2,"a":1}'],
    ],
    [
      'a map repeating its key',
      { byName: [{ name: 'x' }, { name: 'x', v: 1 }] },
      ['byName[1]: Duplicate value: {"name":"x"}'],
    ],
    ['a map with two items without key', { byName: [{}, {}] }, ['byName[1]: Duplicate value: {}']],
    [
      'a map repeating both keys',
      {
        byPort: [
          { protocol: 'TCP', port: 1 },
          { port: 1, protocol: 'UDP' },
          { port: 1, protocol: 'TCP' },
        ],
      },
      ['byPort[2]: Duplicate value: {"port":1,"protocol":"TCP"}'],
    ],
    [
      'a map of scalars',
      { byName: ['x'] },
      ['byName[0]: Invalid value: "x": must be an object for an array of list-type map'],
    ],
    ['a set below a map', { nested: { k: ['a', 'a'] } }, ['nested[k][1]: Duplicate value: "a"']],
  ])('When given %s, it should report each repeated value once', (_, value, expected) => {
    expect(validateListTypes(value, schema).map(formatFieldError)).toEqual(expected);
  });
});
