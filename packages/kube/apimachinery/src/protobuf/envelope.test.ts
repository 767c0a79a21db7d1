import { describe, expect, it } from 'vitest';
import { StatusError } from '../status.ts';
import { decodeProtobuf, encodeProtobuf } from './envelope.ts';

function bodyOf(apiVersion: string, kind: string, message: readonly number[]): Buffer {
  const delimited = (tag: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([tag, ...varint(bytes.length)]), bytes]);
  const typeMeta = Buffer.concat([delimited(0x0a, Buffer.from(apiVersion)), delimited(0x12, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), delimited(0x0a, typeMeta), delimited(0x12, Uint8Array.from(message))]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}

function failureOf(body: Uint8Array): StatusError {
  try {
    decodeProtobuf(body);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('decoding succeeded');
}

describe('decodeProtobuf', () => {
  it('When fields are not on the wire, it should leave out or print their zero as Go does', () => {
    expect(decodeProtobuf(bodyOf('v1', 'Namespace', []))).toEqual({
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: {},
      spec: {},
      status: {},
    });
    expect(decodeProtobuf(bodyOf('rbac.authorization.k8s.io/v1', 'Role', []))).toMatchObject({ rules: null });
  });

  it('When a pointer field holds zero, it should keep it', () => {
    const scaledDown = encodeProtobuf({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', deletionGracePeriodSeconds: 0 },
      spec: { replicas: 0, minReadySeconds: 0 },
    });
    const decoded = decodeProtobuf(scaledDown);
    expect(decoded.spec).toMatchObject({ replicas: 0, selector: null });
    expect(decoded.spec).not.toHaveProperty('minReadySeconds');
    expect(decoded.metadata).toEqual({ name: 'web', deletionGracePeriodSeconds: 0 });
  });

  it('When DeleteOptions carry the group-version of another API, it should still know them', () => {
    const body = encodeProtobuf({ kind: 'DeleteOptions', apiVersion: 'apps/v1', propagationPolicy: 'Foreground' });
    expect(decodeProtobuf(body)).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'apps/v1',
      propagationPolicy: 'Foreground',
    });
  });

  it('When the message has a field nobody knows, it should skip it', () => {
    const body = bodyOf('v1', 'ConfigMap', [0xfa, 0x3f, 2, 1, 2, 0xf8, 0x3f, 7, 0xf9, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(decodeProtobuf(body)).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {} });
  });

  it('When a map has the key __proto__, it should be a key like any other', () => {
    const data = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const decoded = decodeProtobuf(encodeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, data }));
    expect(Object.keys(decoded.data as object)).toEqual(['__proto__']);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  const malformed: [string, Uint8Array, RegExp][] = [
    ['is JSON', Buffer.from('{"kind":"Pod"}'), /does not start with/],
    ['is empty', Buffer.alloc(0), /does not start with/],
    ['names an unknown kind', bodyOf('v1', 'Nothing', []), /no kind "Nothing" is registered for version "v1"/],
    ['ends in the middle', bodyOf('v1', 'Pod', [0x0a, 5, 1]), /unexpected end/],
    ['has a wrong wire type', bodyOf('v1', 'Pod', [0x08, 5]), /wrong wire type 0 for field "metadata"/],
    ['has a group', bodyOf('v1', 'Pod', [0x7b, 5]), /illegal wire type 3/],
    ['has field number 0', bodyOf('v1', 'Pod', [0x02, 0]), /illegal field number 0/],
    [
      'has an endless varint',
      bodyOf(
        'v1',
        'Pod',
        Array.from({ length: 12 }, () => 0xff),
      ),
      /varint longer than 10 bytes/,
    ],
    [
      'holds text where JSON belongs',
      bodyOf('apps/v1', 'ControllerRevision', [0x12, 4, 0x0a, 2, 0x7b, 0x7b]),
      /does not hold JSON/,
    ],
  ];
  it.each(malformed)('When the body %s, it should fail with 400', (_, body, message) => {
    const error = failureOf(body);
    expect(error.code).toBe(400);
    expect(error.message).toMatch(message);
  });

  it('When messages nest too deep, it should fail with 400 instead of overflowing the stack', () => {
    let schema: number[] = [];
    for (let i = 0; i < 2000; i++) schema = [0xe2, 0x01, ...varint(schema.length), ...schema];
    const wrap = (tag: number[], inner: number[]) => [...tag, ...varint(inner.length), ...inner];
    const crd = wrap([0x12], wrap([0x3a], wrap([0x22], wrap([0x0a], schema))));
    const error = failureOf(bodyOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition', crd));
    expect(error).toMatchObject({ code: 400, message: expect.stringContaining('nested deeper') as string });
  });

  it('When a small body would become millions of objects, it should fail with 400', () => {
    const items = Array.from({ length: 600_000 }, (_, i) => (i % 2 === 0 ? 0x12 : 0));
    expect(failureOf(bodyOf('v1', 'PodList', items)).message).toMatch(/more than 200000/);
  });

  it('When the body is larger than allowed, it should fail with 413', () => {
    expect(failureOf(new Uint8Array(3 * 1024 * 1024 + 1)).code).toBe(413);
  });

  it('When bytes of a good body are changed at random, it should decode or fail with 400, never otherwise', () => {
    const good = encodeProtobuf({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web', labels: { app: 'web' }, creationTimestamp: '2026-01-02T03:04:05Z' },
      spec: {
        containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } }],
      },
    });
    let seed = 42;
    const next = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    const codes = new Set<unknown>();
    for (let round = 0; round < 3000; round++) {
      const bytes = Buffer.from(good);
      for (let change = next(4); change >= 0; change--) bytes[4 + next(bytes.length - 4)] = next(256);
      try {
        decodeProtobuf(bytes);
      } catch (error) {
        codes.add(error instanceof StatusError ? error.code : error);
      }
    }
    expect([...codes]).toEqual([400]);
  });
});
