import { describe, expect, it } from 'vitest';
import {
  DecodeError,
  decodeJson,
  decodeLocatedYaml,
  decodeYaml,
  decodeYamlDocuments,
  strictDecodingError,
} from './index.ts';

const yaml = (text: string) => decodeYaml(text).value;

describe('decodeYaml', () => {
  it.each<[string, unknown]>([
    ['a: yes', { a: true }],
    ['a: on', { a: true }],
    ['a: y', { a: true }],
    ['a: No', { a: false }],
    ['a: off', { a: false }],
    ['a: "yes"', { a: 'yes' }],
    ['a: 0777', { a: 511 }],
    ['a: 0o777', { a: 511 }],
    ['a: 0x1F', { a: 31 }],
    ['a: 1_000', { a: 1000 }],
    ['a: 1e3', { a: 1000 }],
    ['a: 12:30:45', { a: '12:30:45' }],
    ['a: 1:30', { a: '1:30' }],
    ['a: 2001-12-14', { a: '2001-12-14' }],
    ['a: 2001-12-14t21:59:43.10-05:00', { a: '2001-12-14t21:59:43.10-05:00' }],
    ['a: ~', { a: null }],
    ['a:', { a: null }],
    ['a: 1.5', { a: 1.5 }],
    ['a: 1.2.3', { a: '1.2.3' }],
    ['1: a\ntrue: b', { '1': 'a', true: 'b' }],
    ['a: &x {b: 1}\nc:\n  <<: *x\n  d: 2', { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ['a: |\n  x\n  y\n', { a: 'x\ny\n' }],
    ['{"a": [1, 2]}', { a: [1, 2] }],
    ['{a: b}', { a: 'b' }],
    ['', null],
    ['a: 1\na: 2', { a: 2 }],
    ['a: !!binary aGk=', { a: 'aGk=' }],
  ])('When given %j, it should decode as Kubernetes does', (text, expected) => {
    expect(yaml(text)).toEqual(expected);
  });

  it.each([
    ['a: [1', 'yaml: line 1: '],
    ['a: .inf', 'json: unsupported value: +Inf'],
    ['__proto__: {polluted: true}', '__proto__'],
    ['? {a: b}\n: c', 'unsupported map key'],
    [`a: ${'['.repeat(100_000)}`, 'exceeded max depth'],
    [`a: ${'[ # ]\n '.repeat(100_000)}`, 'exceeded max depth'],
    ['- '.repeat(100_000), 'exceeded max depth'],
    ['? '.repeat(100_000), 'exceeded max depth'],
    [`${'{a: '.repeat(3000)}1${'}'.repeat(3000)}`, 'exceeded max depth'],
  ])('When bad input %# is given, it should be refused', (text, message) => {
    expect(() => yaml(text)).toThrow(DecodeError);
    expect(() => yaml(text)).toThrow(message);
  });

  it('When aliases multiply, it should stop', () => {
    const levels = 'abcdefghij'.split('');
    const bomb = levels.map((name, i) =>
      i === 0
        ? `${name}: &${name} [x,x,x,x,x,x,x,x,x]`
        : `${name}: &${name} [${Array(9)
            .fill(`*${levels[i - 1]}`)
            .join(',')}]`,
    );
    const started = performance.now();
    expect(() => yaml(bomb.join('\n'))).toThrow(DecodeError);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('When a text is too long, it should be refused', () => {
    expect(() => decodeYaml(`a: ${'x'.repeat(100)}`, { maxLength: 50 })).toThrow('longer than 50');
  });

  it('When keys repeat and strictness is asked for, it should report the line', () => {
    expect(decodeYaml('a: 1\nb:\n  c: 1\n  c: 2\n', { findDuplicates: true })).toEqual({
      value: { a: 1, b: { c: 2 } },
      strictErrors: ['yaml: unmarshal errors:\n  line 4: key "c" already set in map'],
    });
  });

  it('When only true and false are to be booleans, it should leave the other words as texts', () => {
    const text = 'a: yes\nn: True\non: [off, FALSE, y]\nc: 0777\n';
    expect(decodeYaml(text, { plainBooleans: true }).value).toEqual({
      a: 'yes',
      n: true,
      on: ['off', false, 'y'],
      c: 511,
    });
  });

  it('When several documents come, it should give each and leave out the empty ones', () => {
    expect(decodeYamlDocuments('---\na: 1\n---\n# nothing\n---\nb: 2\n').map(({ value }) => value)).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
  });
});

describe('decodeLocatedYaml', () => {
  it.each<[readonly (string | number)[], string]>([
    [['b'], '2:1'],
    [['b', 1], '4:5'],
    [['b', 1, 'x'], '4:5'],
    [['b', 1, 'nowhere', 'deeper'], '4:5'],
    [['c', 'z'], '3:9'],
    [[], '1:1'],
  ])('When asked for %j, it should say where that stands or what is nearest', (path, expected) => {
    const located = decodeLocatedYaml('a: 1\nb:\n  - &i {z: 2}\n  - x: 3\nc: *i\n');
    expect(located.value).toEqual({ a: 1, b: [{ z: 2 }, { x: 3 }], c: { z: 2 } });
    const { line, column } = located.locate(path);
    expect(`${line}:${column}`).toBe(expected);
  });

  it('When the text is no YAML, it should be refused with its line', () => {
    expect(() => decodeLocatedYaml('a: 1\nb: [1')).toThrow(/yaml: line \d/);
    expect(decodeLocatedYaml('').value).toBe(null);
  });
});

describe('decodeJson', () => {
  it.each([
    ['{"spec":{"x":1,"x":2}}', ['duplicate field "spec.x"']],
    ['{"a":1,"a":2,"a":3}', ['duplicate field "a"']],
    ['{"l":[{"n":1},{"n":1,"n":2}]}', ['duplicate field "l[1].n"']],
    ['{"l":[[0,{"n":1,"n":2}]]}', ['duplicate field "l[0][1].n"']],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","b":{"a":1},"c":{"a":1}}', []],
    ['{"a\\u0062":1,"ab":2}', ['duplicate field "ab"']],
    ['{"a":{},"b":[],"a":[]}', ['duplicate field "a"']],
    ['[]', []],
  ])('When %s is decoded strictly, it should report %j', (text, errors) => {
    const decoded = decodeJson(text, { findDuplicates: true });
    expect(decoded.strictErrors).toEqual(errors);
    expect(decoded.value).toEqual(JSON.parse(text));
  });

  it('When strictness is not asked for, it should report nothing', () => {
    expect(decodeJson('{"a":1,"a":2}').strictErrors).toEqual([]);
    expect(strictDecodingError(['duplicate field "a"', 'unknown field "b"'])).toBe(
      'strict decoding error: duplicate field "a", unknown field "b"',
    );
  });

  it.each([
    ['{"a":', 'JSON'],
    ['{"__proto__":{"x":1}}', '__proto__'],
    ['{"\\u005f_proto__":{"x":1}}', '__proto__'],
    [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'exceeded max depth'],
    [`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`, 'exceeded max depth'],
  ])('When bad input %# is given, it should be refused', (text, message) => {
    expect(() => decodeJson(text)).toThrow(DecodeError);
    expect(() => decodeJson(text)).toThrow(message);
  });

  it('When brackets stand in text, it should not take them for depth', () => {
    const value = { a: '[{'.repeat(5000), b: '\\"[' };
    expect(decodeJson(JSON.stringify(value)).value).toEqual(value);
  });
});
