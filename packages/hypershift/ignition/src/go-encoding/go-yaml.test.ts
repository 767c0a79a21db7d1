import { decodeYaml, type JsonValue } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { aRandom } from '../testing/random.ts';
import { goYaml } from './go-yaml.ts';

describe('goYaml', () => {
  // The right column was written by sigs.k8s.io/yaml v1.6.0.
  it.each([
    ['yes', 'k: "yes"\n'],
    ['1_000', 'k: "1_000"\n'],
    ['0o7', 'k: "0o7"\n'],
    ['2020-01-01', 'k: "2020-01-01"\n'],
    ['12:30', 'k: "12:30"\n'],
    ['', 'k: ""\n'],
    ['null', 'k: "null"\n'],
    ['~', 'k: "~"\n'],
    ['.5', 'k: ".5"\n'],
    ['a: b', "k: 'a: b'\n"],
    ['#a', "k: '#a'\n"],
    ['- a', "k: '- a'\n"],
    ["it's", "k: it's\n"],
    ["'x", "k: '''x'\n"],
    [' a', "k: ' a'\n"],
    ['a\tb', 'k: "a\\tb"\n'],
    ['a\nb', 'k: |-\n  a\n  b\n'],
    ['a\nb\n', 'k: |\n  a\n  b\n'],
    ['a\n\n', 'k: |+\n  a\n\n'],
    ['\na', 'k: |2-\n\n  a\n'],
    ['a \nb', 'k: "a \\nb"\n'],
    ['é 日', 'k: é 日\n'],
    ['😀', 'k: "\\U0001F600"\n'],
    [
      'word word word word word word word word word word word word word word word word word word word word ',
      "k: 'word word word word word word word word word word word word word word word word\n  word word word word '\n",
    ],
    ['{}', "k: '{}'\n"],
    [
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'k: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n',
    ],
    ['0777', 'k: "0777"\n'],
    ['1e3', 'k: "1e3"\n'],
    ['+.inf', 'k: "+.inf"\n'],
    ['https://a.b/c?d=e', 'k: https://a.b/c?d=e\n'],
    ['key=value', 'k: key=value\n'],
    ['a #b', "k: 'a #b'\n"],
    ['-a', 'k: -a\n'],
    ['---', "k: '---'\n"],
    ['0x1G', 'k: 0x1G\n'],
    ['2020-02-30', 'k: 2020-02-30\n'],
  ])('When the value is %j, it should be written as Go writes it', (value, expected) => {
    expect(goYaml({ k: value })).toBe(expected);
  });

  it('When keys hold numbers, it should order them as Go does', () => {
    const keys = ['a10', 'a2', 'a1.10', 'a1.9', 'B', '_x', '9', '10', 'b/c', 'b-c', 'b.c'];
    expect(goYaml(Object.fromEntries(keys.map((key) => [key, 1])))).toBe(
      '_x: 1\n"9": 1\n"10": 1\nB: 1\na1.9: 1\na1.10: 1\na2: 1\na10: 1\nb-c: 1\nb.c: 1\nb/c: 1\n',
    );
  });

  it('When the value is deep, it should lay out blocks as Go does', () => {
    const value = {
      list: [{ b: 1, a: [[1, 2], []] }, 's', null, true, {}],
      map: {},
      n: null,
      f: [0.5, 1234567.5, 1e-7, 1e21],
    };
    expect(goYaml(value)).toBe(
      'f:\n- 0.5\n- 1.2345675e+06\n- 1e-07\n- 1e+21\nlist:\n- a:\n  - - 1\n    - 2\n  - []\n  b: 1\n- s\n- null\n- true\n- {}\nmap: {}\n"n": null\n',
    );
  });

  it('When any value is written, reading it should give the value back, whatever the order of its keys', () => {
    const random = aRandom(7);
    const pieces = [
      'a',
      'Z',
      '0',
      '9',
      ' ',
      '\n',
      ':',
      ' #',
      '-',
      "'",
      '"',
      '\\',
      '{',
      '|',
      '%',
      'é',
      'null',
      '1e3',
      '\t',
      'words ',
    ];
    const text = () => Array.from({ length: random.below(8) }, () => random.pick(pieces)).join('');
    const value = (depth: number): JsonValue => {
      const kind = random.below(depth > 3 ? 4 : 7);
      if (kind === 0) return random.below(1000);
      if (kind === 1) return random.pick([null, true, false]);
      if (kind < 4) return text();
      if (kind === 4) return Array.from({ length: random.below(4) }, () => value(depth + 1));
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, (_, i) => [`${random.pick(['k', 'x.', 'a/'])}${i}`, value(depth + 1)]),
      );
    };
    for (let i = 0; i < 500; i++) {
      const original = { v: value(0), w: value(0) };
      const written = goYaml(original);
      expect(decodeYaml(written).value).toEqual(original);
      expect(goYaml({ w: original.w, v: original.v })).toBe(written);
    }
  });

  it('When a key has several lines, it should refuse it', () => {
    expect(() => goYaml({ 'a\nb': 1 })).toThrow(RangeError);
  });
});
