import { describe, expect, it } from 'vitest';
import { compileLabelSelector, everything, nothing, parseLabelSelector, selectorFromSet } from './index.ts';

describe('parseLabelSelector', () => {
  it.each([
    ['', '', true],
    ['x=a,y=b,z=c', 'x=a,y=b,z=c', false],
    ['z=c, x = a', 'x=a,z=c', true],
    ['x==a', 'x==a', true],
    ['x!=a', 'x!=a', false],
    ['x', 'x', true],
    ['!x', '!x', false],
    ['x in (b,a,,a)', 'x in (,a,b)', true],
    ['x notin (b)', 'x notin (b)', true],
    ['x in ()', 'x in ()', false],
    ['in in (in,notin)', 'in in (in,notin)', false],
    ['notin', 'notin', false],
    ['x=', 'x=', false],
    ['n>7', 'n>7', true],
    ['n<7', 'n<7', false],
    ['missing>7', 'missing>7', false],
    ['constructor', 'constructor', false],
    ['example.com/x notin (a),!y', 'example.com/x notin (a),!y', true],
  ])('When given %j, it should print %j and match: %j', (text, canonical, matches) => {
    const selector = parseLabelSelector(text);
    expect(String(selector)).toBe(canonical);
    expect(selector.matches({ x: 'a', z: 'c', n: '8' })).toBe(matches);
    expect(String(parseLabelSelector(canonical))).toBe(canonical);
  });

  it.each([
    ['x=a||y=b', 'unable to parse requirement: values[0][x]: Invalid value: "a||y": a valid label must be an empty'],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['x,', "found '', expected: identifier after ','"],
    ['x a', "unable to parse requirement: found 'a', expected: in, notin, =, ==, !=, gt, lt"],
    ['x in a', "unable to parse requirement: found 'a' expected: '('"],
    ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
    ['x=(', "unable to parse requirement: found '(', expected: identifier"],
    ['!x=a', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['x=a)', "found ')', expected: ',' or 'end of string'"],
    ['-x=a', 'unable to parse requirement: <nil>: Invalid value: "-x": name part must consist of alphanumeric'],
    [
      'x>a',
      `unable to parse requirement: values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('When given %j, it should fail as Kubernetes does', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });

  it('When requirements repeat a key, it should keep them all', () => {
    const selector = parseLabelSelector('x!=a,x!=b');
    expect(selector.matches({ x: 'c' })).toBe(true);
    expect(selector.matches({ x: 'b' })).toBe(false);
    expect(selector.matches(undefined)).toBe(true);
  });

  it('When one value is demanded, it should tell which', () => {
    expect(parseLabelSelector('a=b,c in (d)').exactMatch('c')).toBe('d');
    expect(parseLabelSelector('a!=b').exactMatch('a')).toBeUndefined();
  });

  it('When numbers exceed a double, it should still compare them exactly', () => {
    expect(parseLabelSelector('n>9007199254740992').matches({ n: '9007199254740993' })).toBe(true);
    expect(parseLabelSelector('n>1').matches({ n: '9223372036854775808' })).toBe(false);
  });
});

describe('compileLabelSelector', () => {
  it('When absent, it should select nothing; when empty, everything', () => {
    expect(compileLabelSelector(undefined)).toBe(nothing);
    expect(compileLabelSelector({})).toBe(everything);
    expect(nothing.matches({})).toBe(false);
  });

  it('When both parts are given, it should demand both', () => {
    const selector = compileLabelSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    });
    expect(String(selector)).toBe('app=web,!old,tier in (a,b)');
    expect(selector.matches({ app: 'web', tier: 'a' })).toBe(true);
    expect(selector.matches({ app: 'web', tier: 'a', old: '' })).toBe(false);
  });

  it('When the operator is unknown, it should say so', () => {
    expect(() => compileLabelSelector({ matchExpressions: [{ key: 'a', operator: 'Near' }] })).toThrow(
      '"Near" is not a valid label selector operator',
    );
  });
});

describe('selectorFromSet', () => {
  it('When labels are given, it should match supersets of them', () => {
    expect(selectorFromSet({ a: 'b' }).matches({ a: 'b', c: 'd' })).toBe(true);
    expect(selectorFromSet({ a: 'b' }).matches({ c: 'd' })).toBe(false);
    expect(selectorFromSet({}).everything).toBe(true);
  });
});
