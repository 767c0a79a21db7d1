import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from '../harness/process.ts';
import { type Answer, type RawRequest, Victim } from './victim.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
const yaml = { 'content-type': 'application/yaml' };
const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

/** No single request may keep everybody else waiting longer than this. */
// Far above what a busy machine needs and far below what a hang takes: this is no measurement.
const patienceMs = 10_000;

function aConfigMap(name: string, data: object = {}): string {
  return JSON.stringify({ metadata: { name }, data });
}

function yamlBomb(levels: number): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < levels; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}

const post = (body: string | Buffer, headers: Record<string, string> = json): RawRequest => ({
  method: 'POST',
  path: maps,
  headers,
  body,
});
const patch = (body: unknown): RawRequest => ({
  method: 'PATCH',
  path: `${maps}/target`,
  headers: jsonPatch,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const list = (query: string): RawRequest => ({ path: `${maps}?${query}` });

const attacks: readonly (readonly [name: string, request: RawRequest, codes: readonly number[]])[] = [
  ['a body over the limit', post(aConfigMap('big', { a: 'x'.repeat(4 * 1024 * 1024) })), [413]],
  ['a config map over a megabyte', post(aConfigMap('big', { a: 'x'.repeat(1100 * 1024) })), [422]],
  ['deep JSON', post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), [400]],
  ['deep arrays', post(`${'['.repeat(500_000)}${']'.repeat(500_000)}`), [400]],
  [
    'deep JSON in free-form fields',
    post(`{"metadata":{"managedFields":[{"fieldsV1":${'{"f:a":'.repeat(9000)}{}${'}'.repeat(9000)}}]}}`),
    [400, 422],
  ],
  ['deep YAML', post('['.repeat(20_000), yaml), [400]],
  ['a YAML bomb', post(yamlBomb(12), yaml), [400]],
  ['YAML with a merge key loop', post('a: &a\n  <<: *a\n', yaml), [400, 422]],
  ['a YAML tag that builds objects', post('!!js/function "function(){}"', yaml), [400, 422]],
  [
    'a wide object',
    post(JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1])))),
    [422],
  ],
  [
    'invalid UTF-8',
    post(
      Buffer.concat([
        Buffer.from('{"metadata":{"name":"utf8"},"data":{"a":"'),
        Buffer.from([0xff, 0xfe, 0xc0]),
        Buffer.from('"}}'),
      ]),
    ),
    [201, 400, 409],
  ],
  ['lone surrogates', post('{"metadata":{"name":"surrogate"},"data":{"a":"\\ud800"}}'), [201, 400, 409]],
  ['NUL in a name', post('{"metadata":{"name":"a\\u0000b"}}'), [422]],
  ['a number too big', post('{"metadata":{"name":"n","generation":1e400}}'), [400]],
  [
    'garbage protobuf',
    post(Buffer.from([...Buffer.from('k8s\0'), ...Array.from({ length: 4096 }, (_, i) => (i * 37) & 0xff)]), protobuf),
    [400],
  ],
  [
    'protobuf of endless length',
    post(Buffer.from([0x6b, 0x38, 0x73, 0, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), protobuf),
    [400],
  ],
  ['protobuf without its magic', post('hello', protobuf), [400]],
  [
    'more than ten thousand patch operations',
    patch(Array.from({ length: 10_001 }, (_, i) => ({ op: 'add', path: `/data/k${i}`, value: 'x' }))),
    [413, 422],
  ],
  [
    'a patch that doubles itself',
    patch(Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/d${i}` }))),
    [400, 413, 422],
  ],
  ['a patch of the prototype', patch([{ op: 'add', path: '/__proto__/polluted', value: true }]), [400, 422]],
  [
    'a patch of a constructor',
    patch([{ op: 'add', path: '/constructor/prototype/polluted', value: true }]),
    [400, 422],
  ],
  [
    'a patch with a huge index',
    patch([{ op: 'add', path: '/metadata/finalizers/4294967295', value: 'a.b/c' }]),
    [400, 422],
  ],
  ['a patch that is a number', patch('5'), [400]],
  ['a label selector of 100 000 terms', list(`labelSelector=${'a,'.repeat(5000)}a`), [200, 400]],
  ['a set selector without end', list(`labelSelector=a%20in%20(${'b,'.repeat(3000)}`), [400]],
  ['a field selector of nonsense', list('fieldSelector=%00%01%02=%ff'), [400]],
  ['a continue token of nonsense', list(`continue=${'A'.repeat(6000)}`), [400, 410]],
  [
    'a continue token that climbs',
    list(`continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets/"}').toString('base64url')}`),
    [400],
  ],
  ['a limit beyond all numbers', list('limit=99999999999999999999'), [400]],
  ['invalid percent encoding', { path: `${maps}/%zz` }, [400, 404]],
  ['an encoded slash', { path: `${maps}/a%2f..%2f..%2fsecrets` }, [400, 404]],
  ['dots that climb', { path: '/api/v1/namespaces/../../../../etc/passwd' }, [400, 404]],
  ['a NUL in the path', { path: `${maps}/%00` }, [400, 404]],
  ['a name of 8000 characters', { path: `${maps}/${'a'.repeat(8000)}` }, [400, 404, 414]],
  ['a path of 5000 segments', { path: `/api/v1${'/a'.repeat(5000)}` }, [400, 404, 414, 431]],
  ['headers over the limit', { path: '/version', headers: { 'x-big': 'x'.repeat(200_000) } }, [400, 431]],
  ['an Accept header without end', { path: maps, headers: { accept: 'a/b;q=0.1,'.repeat(1000) } }, [200, 406, 431]],
  [
    'a content type that is a sentence',
    post('{}', { 'content-type': 'application/json;'.repeat(200) }),
    [400, 415, 422],
  ],
  ['impersonation of nobody', { path: maps, headers: { 'impersonate-group': 'system:masters' } }, [400, 403, 500]],
  ['two contradicting lengths', { path: maps, headers: { 'content-length': ['1', '2'] } }, [400]],
];

describe.skipIf(!isBuilt())('one hostile request', () => {
  let victim: Victim;
  beforeAll(async () => {
    victim = await Victim.start();
    await victim.json('POST', maps, { metadata: { name: 'target' }, data: { seed: 'x' } });
  });
  afterAll(() => victim.stop());

  it.each(attacks)('When it has %s, it should be refused in time and store nothing odd', async (_, request, codes) => {
    let code = 0;
    const worst = await victim.worstWaitDuring(async () => {
      // A connection that is cut instead of answered is a refusal too.
      code = await victim.send(request).then(
        (answer) => answer.code,
        () => 0,
      );
    });
    expect([0, ...codes]).toContain(code);
    expect(worst).toBeLessThan(patienceMs);
    expect(victim.isAlive).toBe(true);
    expect(victim.faults).toEqual([]);
  });

  it('When prototypes are named in bodies, it should keep them out of what is stored and answered', async () => {
    const body =
      '{"metadata":{"name":"proto","labels":{"__proto__":"x"}},"data":{"__proto__":"y","constructor":"z"},"__proto__":{"polluted":1}}';
    await victim.send(post(body));
    const { text } = await victim.send({ path: `${maps}/proto` });
    expect(text).not.toContain('polluted');
    const other = await victim.json('POST', maps, { metadata: { name: 'clean' } });
    expect(other.text).not.toContain('polluted');
  });

  it('When a definition carries a catastrophic pattern, it should judge by it in time', async () => {
    const group = 'hostile.example.com';
    const created = await victim.json('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `bombs.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'bombs', kind: 'Bomb' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  pattern: { type: 'string', pattern: '^(a+)+$' },
                  rule: {
                    type: 'string',
                    maxLength: 5000,
                    'x-kubernetes-validations': [{ rule: "self.matches('^(a|a)*$')" }],
                  },
                },
              },
            },
          },
        ],
      },
    });
    expect(created.code).toBe(201);
    const bombs = `/apis/${group}/v1/namespaces/default/bombs`;
    await expect.poll(async () => (await victim.send({ path: bombs })).code).toBe(200);
    const evil = `${'a'.repeat(4000)}!`;
    let answer: Answer | undefined;
    const worst = await victim.worstWaitDuring(async () => {
      answer = await victim.json('POST', bombs, {
        apiVersion: `${group}/v1`,
        kind: 'Bomb',
        metadata: { name: 'b' },
        pattern: evil,
        rule: evil,
      });
    });
    expect(answer?.code).toBe(422);
    expect(worst).toBeLessThan(patienceMs);
  });

  it('When all is over, it should hold only what was meant to be stored', async () => {
    const { text } = await victim.send({ path: maps });
    const names = (JSON.parse(text) as { items: { metadata: { name: string } }[] }).items.map(
      ({ metadata }) => metadata.name,
    );
    const expected = ['clean', 'kube-root-ca.crt', 'proto', 'surrogate', 'target', 'utf8'];
    expect(names.filter((name) => !expected.includes(name))).toEqual([]);
  });
});
