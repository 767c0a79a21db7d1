import { describe, expect, it } from 'vitest';
import { compileJsonPath } from './index.ts';

const document = {
  kind: 'List',
  'dotted.name': 'd',
  items: [
    { name: 'a', n: 1, ready: true },
    { name: 'b', n: 2 },
    { name: 'c', n: 3, ready: false },
  ],
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
    replicas: 0,
  },
};

describe('compileJsonPath', () => {
  it.each<[string, unknown[]]>([
    ['.kind', ['List']],
    ['{.kind}', ['List']],
    ['$.status.replicas', [0]],
    ['.missing.deeper', []],
    ["['dotted.name']", ['d']],
    ['.dotted\\.name', ['d']],
    ['.items[0].name', ['a']],
    ['.items[-1].name', ['c']],
    ['.items[9].name', []],
    ['.items[*].name', ['a', 'b', 'c']],
    ['.items[0:2].name', ['a', 'b']],
    ['.items[::2].name', ['a', 'c']],
    ['.items[0,2].name', ['a', 'c']],
    ['.items[?(@.n>1)].name', ['b', 'c']],
    ['.items[?(@.ready)].name', ['a', 'c']],
    ['.items[?(@.ready==true)].name', ['a']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type == 'Other')].status", ['False']],
    ['..status', [document.status, 'True', 'False']],
    ['.items[?(@.name!="a")].n', [2, 3]],
  ])('When asked for %s, it should find %j', (path, expected) => {
    expect(compileJsonPath(path).find(document)).toEqual(expected);
  });
  it.each(['.a[', '.a[?(@.b', '.a[x]', '.a]', ".a['x]", '.a{'])(
    'When given %s, it should refuse to compile',
    (path) => {
      expect(() => compileJsonPath(path)).toThrow();
    },
  );
});
