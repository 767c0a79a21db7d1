import { describe, expect, it } from 'vitest';
import { escapeFieldValue, parseFieldSelector } from './index.ts';

const pod: { [field: string]: string } = { 'metadata.name': 'a', 'status.phase': 'Running', odd: 'x,y=z\\' };
const read = (field: string) => pod[field];

describe('parseFieldSelector', () => {
  it.each([
    ['', '', true],
    ['metadata.name=a', 'metadata.name=a', true],
    ['metadata.name==a', 'metadata.name=a', true],
    ['status.phase!=Running', 'status.phase!=Running', false],
    ['spec.nodeName=', 'spec.nodeName=', true],
    ['spec.nodeName!=', 'spec.nodeName!=', false],
    ['status.phase=Running,metadata.name=a,', 'metadata.name=a,status.phase=Running', true],
    ['odd=x\\,y\\=z\\\\', 'odd=x\\,y\\=z\\\\', true],
  ])('When given %j, it should print %j and match: %j', (text, canonical, matches) => {
    const selector = parseFieldSelector(text);
    expect(String(selector)).toBe(canonical);
    expect(selector.matches(read)).toBe(matches);
  });

  it.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('When given %j, it should fail as Kubernetes does', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(message);
  });

  it('When a value is escaped, it should read back as it was', () => {
    const value = 'a,b=c\\d';
    expect(parseFieldSelector(`f=${escapeFieldValue(value)}`).exactMatch('f')).toBe(value);
  });
});
