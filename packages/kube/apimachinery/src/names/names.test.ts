import { describe, expect, it } from 'vitest';
import type { FormatCheck } from './index.ts';
import {
  generateName,
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isPathSegmentName,
  isPortName,
  isQualifiedName,
  nameIsDNSSubdomain,
} from './index.ts';

const long = (length: number) => 'a'.repeat(length);

describe('formats', () => {
  it.each<[string, FormatCheck, string[], string[]]>([
    ['DNS-1123 label', isDNS1123Label, ['a', 'a-1', '1', long(63)], ['', 'A', '-a', 'a-', 'a.b', long(64), 'a\n']],
    ['subdomain', isDNS1123Subdomain, ['a', 'a.b-c.1', long(253)], ['', 'a..b', 'a.', 'A', 'a_b', long(254)]],
    ['DNS-1035 label', isDNS1035Label, ['a', 'a-1'], ['1a', 'a.b', '']],
    [
      'qualified name',
      isQualifiedName,
      ['a', 'A.b_c-D', 'x.io/A', long(63)],
      ['', '/a', 'a/', 'a/b/c', 'X.io/a', '.a'],
    ],
    ['label value', isLabelValue, ['', 'a', 'A_b.c-1', long(63)], ['-', 'a ', 'a/b', long(64)]],
    ['path segment', isPathSegmentName, ['a', 'system:node', '...'], ['.', '..', 'a/b', 'a%b']],
    ['port name', isPortName, ['http', 'a1'], ['', '1', 'a--b', '-a', 'Http', long(16)]],
    ['config key', isConfigMapKey, ['a', 'A_b.c', '.bashrc'], ['', '.', '..', '..a', 'a/b']],
  ])('When a %s is judged, it should accept the good and refuse the bad', (_, check, good, bad) => {
    expect(good.filter((value) => check(value).length > 0)).toEqual([]);
    expect(bad.filter((value) => check(value).length === 0)).toEqual([]);
  });

  it('When a label is wrong, it should explain it in the words of Kubernetes', () => {
    expect(isDNS1123Label('A')).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
    expect(isDNS1123Label('a.b')).toEqual(['must not contain dots']);
    expect(isDNS1123Label(long(64))).toEqual(['must be no more than 63 characters']);
  });

  it('When an absurdly long value is judged, it should answer at once', () => {
    const started = performance.now();
    for (const check of [isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isLabelValue]) {
      check(`${'a-.'.repeat(300_000)}!`);
      check(`${'a.'.repeat(300_000)}!`);
      check(`${'a'.repeat(900_000)}!`);
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('generateName', () => {
  it('When the base is short, it should add five characters of the safe alphabet', () => {
    expect(generateName('web-')).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(generateName('web-', () => 0)).toBe('web-bbbbb');
  });

  it('When the base is long, it should cut it so that the name has 63 characters', () => {
    expect(generateName(long(80))).toHaveLength(63);
  });

  it('When a prefix ends with a dash, it should be a good prefix but not a good name', () => {
    expect(nameIsDNSSubdomain('web-', true)).toEqual([]);
    expect(nameIsDNSSubdomain('web-', false)).toHaveLength(1);
  });
});
