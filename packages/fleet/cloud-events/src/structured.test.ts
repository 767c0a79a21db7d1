import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeStructured, encodeStructured } from './structured.ts';

const minimal = { specversion: '1.0', id: 'a', source: 'sentinel', type: 'x.reconcile' };
const decode = (fields: object) => decodeStructured(JSON.stringify({ ...minimal, ...fields }));

describe('Events in structured mode', () => {
  it('When an event is sent and read, it should be the same', () => {
    const event = {
      id: 'a',
      source: 'sentinel',
      type: 'x.reconcile',
      time: '2026-03-02T09:15:30.25Z',
      datacontenttype: 'application/json',
      extensions: { traceparent: '00-1-2-01', attempt: 3, urgent: true },
      data: { id: 'c1', generation: 2, list: [1, null] },
    };
    expect(decodeStructured(encodeStructured(event))).toEqual(event);
  });

  it('When the data is in base64, it should be read as JSON', () => {
    const data_base64 = Buffer.from('{"k":"v"}').toString('base64');
    expect(decode({ data_base64 }).data).toEqual({ k: 'v' });
    expect(() => decode({ data_base64, datacontenttype: 'image/png' })).toThrow('the data is image/png, not JSON');
  });

  it.each([
    ['specversion', { specversion: '0.3' }, 'specversion is "0.3", not "1.0"'],
    ['id', { id: '' }, 'the event has no id'],
    ['source', { source: undefined }, 'the event has no source'],
    ['type', { type: 7 }, 'the event has no type'],
    ['time', { time: 7 }, 'time is no text'],
    ['an extension', { nested: {} }, 'the extension "nested" is neither text, integer nor boolean'],
  ])('When %s is wrong, it should say so', (_name, fields, message) => {
    expect(() => decode(fields)).toThrow(message);
  });

  it('When the body is no object, it should say so', () => {
    expect(() => decodeStructured('[]')).toThrow('the event is no JSON object');
    expect(() => decodeStructured('{')).toThrow('the event is no JSON');
  });

  it('When an extension is called like a part of every object, it should be a plain value', () => {
    const { extensions } = decodeStructured(`{"__proto__":"x","specversion":"1.0","id":"a","source":"s","type":"t"}`);
    expect(Object.getPrototypeOf(extensions)).toBe(Object.prototype);
    expect(Object.keys(extensions)).toEqual(['__proto__']);
  });
});

const vectors = new URL('../../../../../shared/vectors/hyperfleet/broker/', import.meta.url);

describe.skipIf(!existsSync(vectors))('Events of upstream (skipped without ../shared/vectors)', () => {
  it.each(['cluster', 'nodepool'])('When a %s event comes from upstream, it should be read', (kind) => {
    const text = readFileSync(new URL(`cloudevent.example.${kind}.json`, vectors), 'utf8');
    const event = decodeStructured(text);
    expect(event.data).toEqual(JSON.parse(text).data);
    expect(decodeStructured(encodeStructured(event))).toEqual(event);
  });
});
