import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { always, boolean, list, map, number, numberOrText, object, pointer, raw, text } from './shape.ts';

const shape = object<Record<string, unknown>>({
  name: always(text),
  note: text,
  size: pointer(number),
  open: boolean,
  amount: always(numberOrText),
  tags: map(text),
  items: list(object({ key: always(text), value: pointer(text) })),
  inner: always(object({ deep: text })),
  extra: object({ a: text }),
  anything: pointer(raw),
});

describe('encode', () => {
  it('When nothing is said, it should write only what is always there', () => {
    expect(encode(shape, {})).toEqual({ name: '', amount: 0, inner: {} });
  });

  it('When fields come in any order, it should write them in that of the type, and maps by key', () => {
    const written = encode(shape, {
      tags: { b: '2', a: '1' },
      size: 0,
      note: 'x',
      name: 'n',
      anything: { z: 1, y: [null] },
    });
    expect(JSON.stringify(written)).toBe(
      '{"name":"n","note":"x","size":0,"amount":0,"tags":{"a":"1","b":"2"},"inner":{},"anything":{"z":1,"y":[null]}}',
    );
  });

  it('When fields are empty, it should leave them out unless they are pointers', () => {
    expect(encode(shape, { note: '', open: false, tags: {}, items: [], extra: { a: '' }, size: 0 })).toEqual({
      name: '',
      size: 0,
      amount: 0,
      inner: {},
    });
  });
});

describe('decode', () => {
  it('When fields are unknown or null, it should drop them', () => {
    const { value, errors } = decode(shape, { name: 'n', other: 1, size: null, tags: { a: null, b: 'c' } }, 'spec');
    expect({ value, errors }).toEqual({ value: { name: 'n', amount: 0, inner: {}, tags: { b: 'c' } }, errors: [] });
  });

  it('When values are of another type, it should name each and go on', () => {
    const { value, errors } = decode(shape, { name: 1, items: [{ key: [] }], inner: 'x', note: 'n' }, 'spec');
    expect(errors.map(formatFieldError)).toEqual([
      'spec.name: Invalid value: 1: must be a string',
      'spec.items[0].key: Invalid value: []: must be a string',
      'spec.inner: Invalid value: "x": must be an object',
    ]);
    expect(value).toMatchObject({ name: '', note: 'n' });
  });

  it('When losing a field would go unseen, it should refuse it', () => {
    const { errors } = decode(shape, { inner: { other: true } }, 'spec', 'refuse');
    expect(errors.map(formatFieldError)).toEqual(['spec.inner.other: Invalid value: true: other is not supported']);
  });

  it('When a field is called __proto__, it should not become one', () => {
    const { value } = decode(shape, JSON.parse('{"__proto__":{"name":"x"},"tags":{"__proto__":"y"}}'), 'spec');
    expect(value).toMatchObject({ name: '' });
    expect(Object.getPrototypeOf((value as { tags: object }).tags)).toBe(Object.prototype);
  });
});
