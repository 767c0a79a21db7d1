import { describe, expect, it } from 'vitest';
import { compilePattern, stringFormat } from './index.ts';

describe('stringFormat', () => {
  it.each<[string, string[], string[]]>([
    [
      'date-time',
      ['2024-02-29T23:59:59Z', '2024-01-01t00:00:00.123+02:00'],
      ['2023-02-29T00:00:00Z', '2024-01-01', '2024-01-01T24:00:00Z', 'now'],
    ],
    ['date', ['2024-02-29'], ['2024-13-01', '2024-1-1']],
    ['uuid', ['4f9c2a6e-1111-2222-3333-444444444444', '4F9C2A6E111122223333444444444444'], ['x', '4f9c2a6e-1111']],
    [
      'uri',
      ['https://example.com/a?b=c', '/path', 'mailto:a@b', 'http://[::1]:80/'],
      ['example.com', '', 'http://exa mple.com', 'http://a:port/'],
    ],
    ['hostname', ['example.com', 'a', 'a-b.example.org'], ['-a.com', 'a..b', 'example.1', `${'a'.repeat(64)}.com`]],
    ['duration', ['1h30m', '0', '1.5s', '2 weeks', '5d'], ['', 'x', '5', '10 parsecs']],
    ['byte', ['aGVsbG8=', ''.padEnd(4, 'A')], ['a', '%%%%', '']],
    ['cidr', ['10.0.0.0/8', '2001:db8::/32', '010.0.0.0/8'], ['10.0.0.0', '10.0.0.0/33', 'x/8']],
    ['ipv4', ['10.0.0.1', '010.0.0.1'], ['10.0.0', '::1', '10.0.0.256']],
    ['ipv6', ['::1', '2001:db8::1', '::ffff:1.2.3.4'], ['1.2.3.4', 'fe80::1%eth0', 'x']],
    ['email', ['a@b.example', 'Someone <a@b.example>'], ['a', '@b', 'a@']],
    ['mac', ['00:00:5e:00:53:01', '00-00-5E-00-53-01', '0000.5e00.5301'], ['00:00:5e', 'zz:00:5e:00:53:01']],
    ['password', ['', 'anything'], []],
    ['isbn', ['0321751043', '978-0321751041'], ['0321751044']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['k8s-short-name', ['my-name'], ['My', '-a', 'a.b']],
    ['k8s-long-name', ['my.name'], ['My', '.a']],
  ])('When the format is %s, it should tell fitting texts from others', (format, good, bad) => {
    const check = stringFormat(format);
    expect(good.filter((text) => !check?.(text))).toEqual([]);
    expect(bad.filter((text) => check?.(text))).toEqual([]);
  });
});

describe('compilePattern', () => {
  const matches = (pattern: string, text: string) => {
    const compiled = compilePattern(pattern);
    return compiled.error === undefined && compiled.matches(text);
  };
  it.each<[string, string, boolean]>([
    ['^[a-z]+$', 'abc', true],
    ['^[a-z]+$', 'abc\n', false],
    ['b', 'abc', true],
    ['^[[:print:]]+$', 'ab', true],
    ['(?i)^ABC$', 'abc', true],
    ['^.{1,2}$', '😀😀', true],
    ['^[0-9]{3}$', '12', false],
  ])('When %s meets %j, it should answer as RE2 does', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
  it('When the pattern would backtrack without end, it should still answer at once', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(5000)}!`)).toBe(false);
  });
  it('When the pattern is not RE2, it should say why', () => {
    expect(compilePattern('(?=x)').error).toMatch(/invalid/);
  });
});
