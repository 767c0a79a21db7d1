import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { ManualClock, StatusError } from '@hypershift-ts/kube-apimachinery';
import { afterAll, describe, expect, it } from 'vitest';
import { loadAdapter } from '../config/load.ts';
import { ApiMock } from '../dry-run/api-mock.ts';
import { MemoryTransport } from '../dry-run/memory-transport.ts';
import type { Transport } from '../transport/transport.ts';
import type { RunResult } from './run.ts';
import { runTask } from './run.ts';

const clock = new ManualClock(Date.parse('2026-01-10T10:00:00Z'));

interface Setup {
  readonly answers?: readonly [urlPattern: string, statusCode: number, body: JsonValue][];
  readonly existing?: readonly UnstructuredObject[];
  readonly transport?: Partial<Transport>;
  readonly data?: JsonObject;
  readonly env?: Record<string, string>;
}

interface Ran {
  readonly result: RunResult;
  readonly reports: readonly JsonObject[];
  readonly operations: MemoryTransport['operations'];
}

/** Runs a task file on one event, against answers and objects in memory. */
async function run(task: string, setup: Setup = {}): Promise<Ran> {
  const adapter = loadAdapter(
    {
      config: { file: 'config.yaml', text: 'adapter: {name: unit, version: "1.0"}' },
      task: { file: 'task.yaml', text: task },
    },
    { env: setup.env ?? {}, clock },
  );
  const responses = (setup.answers ?? []).map(([urlPattern, statusCode, body]) => ({
    match: { method: '*', urlPattern },
    responses: [{ statusCode, body }],
  }));
  const api = new ApiMock({ responses }, { version: 'v1' });
  const memory = new MemoryTransport(new Map((setup.existing ?? []).map((object, i) => [`#${i}`, object])), clock);
  const transport: Transport = {
    apply: (request) => memory.apply(request),
    find: (query) => memory.find(query),
    delete: (request) => memory.delete(request),
    ...setup.transport,
  };
  const result = await runTask(
    adapter,
    { id: 'e1', type: 'x.reconcile', data: setup.data ?? { id: 'c1', generation: 3 } },
    { api, transports: { kubernetes: transport, maestro: transport }, env: setup.env ?? {} },
  );
  const reports = api.requests
    .filter(({ requestBody }) => requestBody !== undefined)
    .map(({ requestBody }) => JSON.parse(requestBody!) as JsonObject);
  return { result, reports, operations: memory.operations };
}

const report = `
post:
  payloads:
    - name: report
      build:
        status: {expression: adapter.executionStatus}
        skipped: {expression: adapter.resourcesSkipped}
        why: {expression: 'adapter.?skipReason.orValue("")'}
        error: {expression: 'adapter.?executionError', default: null}
        reason: {expression: 'adapter.?errorReason.orValue("")'}
  post_actions:
    - {name: send, api_call: {method: PUT, url: /clusters/c1/statuses, body: "{{ .report }}"}}
`;

const configMap = (name: string, extra = ''): string => `
  - name: ${name}
    manifest:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: ${name.toLowerCase()}, namespace: ns, annotations: {hyperfleet.io/generation: "{{ .event.generation }}"}}
    discovery: {namespace: ns, by_name: ${name.toLowerCase()}}
${extra}`;

const anExisting = (name: string): UnstructuredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns', annotations: { 'hyperfleet.io/generation': '1' } },
});

describe('runTask', () => {
  it('When a required parameter is missing, it should fail and still report', async () => {
    const { result, reports, operations } = await run(
      `params:\n  - {name: a, source: event.nope, required: true}\nresources:${configMap('one')}${report}`,
    );
    expect(result).toMatchObject({
      status: 'failed',
      retry: 'never',
      errors: { param_extraction: 'a: the field nope does not exist' },
    });
    expect(operations).toEqual([]);
    expect(reports).toEqual([
      {
        status: 'failed',
        skipped: false,
        why: '',
        error: { phase: 'param_extraction', step: 'a', message: 'the field nope does not exist' },
        reason: 'ParameterExtractionFailed',
      },
    ]);
  });

  it('When a precondition is not met, it should touch nothing, report and succeed', async () => {
    const task = `params:\n  - {name: phase, source: event.phase, default: New}\npreconditions:\n  - name: ready\n    conditions: [{field: phase, operator: equals, value: Ready}]\n  - {name: never, expression: "missing"}\nresources:${configMap('one')}${report}`;
    const { result, reports, operations } = await run(task);
    expect(result).toMatchObject({
      status: 'success',
      retry: 'never',
      preconditions: [{ name: 'ready', matched: false }],
    });
    expect(operations).toEqual([]);
    expect(reports[0]).toMatchObject({
      status: 'success',
      skipped: true,
      why: "precondition 'ready' not met: phase equals Ready (actual: New)",
    });
  });

  it('When an expression of a precondition fails, it should count as not met', async () => {
    const { result } = await run('preconditions:\n  - {name: ready, expression: "nowhere.field == 1"}\n');
    expect(result).toMatchObject({ status: 'success', preconditions: [{ matched: false, status: 'success' }] });
    expect(result.skipReason).toContain('no such attribute(s): nowhere');
  });

  it.each([
    [500, 'backoff'],
    [400, 'never'],
  ] as const)('When the API answers a precondition with %i, it should fail with retry %s', async (status, retry) => {
    const task = `preconditions:\n  - {name: fetch, api_call: {method: GET, url: /clusters/c1}}\nresources:${configMap('one')}${report}`;
    const { result, reports, operations } = await run(task, { answers: [['clusters/c1$', status, { detail: 'no' }]] });
    expect(result).toMatchObject({ status: 'failed', retry });
    expect(reports[0]).toMatchObject({
      status: 'failed',
      reason: 'PreconditionFailed',
      error: { phase: 'preconditions', step: 'fetch' },
    });
    expect(operations).toEqual([]);
  });

  it.each([
    ['HYPERFLEET-NTF-001', 'success', 0],
    ['HYPERFLEET-NTF-000', 'failed', 1],
  ])('When a precondition gets 404 with %s, the run should be a %s', async (code, status, sent) => {
    const task = `preconditions:\n  - {name: fetch, api_call: {method: GET, url: /clusters/c1}}\n${report}`;
    const { result, reports } = await run(task, { answers: [['clusters/c1$', 404, { code }]] });
    expect(result.status).toBe(status);
    expect(reports).toHaveLength(sent);
  });

  it('When captures are written, they should see the answer and fall back quietly', async () => {
    const task = `
preconditions:
  - name: fetch
    api_call: {method: GET, url: /clusters/c1}
    capture:
      - {name: region, field: spec.region}
      - {name: zone, field: "{.spec.zones[?(@.name=='b')].id}"}
      - {name: first, expression: "status.list.filter(x, x == 9)[0]", default: none}
      - {name: whole, expression: "fetch.spec.zones.size()"}
      - {name: gone, field: spec.nope}
    expression: region == "r1" && zone == 2 && first == "none" && whole == 2 && gone == null
`;
    const answer = {
      spec: {
        region: 'r1',
        zones: [
          { name: 'a', id: 1 },
          { name: 'b', id: 2 },
        ],
      },
      status: { list: [] },
    };
    const { result } = await run(task, { answers: [['clusters', 200, answer]] });
    expect(result).toMatchObject({
      preconditions: [{ matched: true }],
      params: { region: 'r1', zone: 2, whole: 2, gone: null },
    });
  });

  it('When applying fails, it should stop there and say so', async () => {
    const task = `resources:${configMap('one')}${configMap('two')}${report}`;
    const { result, reports } = await run(task, {
      transport: { apply: () => Promise.reject(new StatusError(503, 'ServiceUnavailable', 'try later')) },
    });
    expect(result).toMatchObject({
      status: 'failed',
      retry: 'backoff',
      resources: [{ name: 'one', status: 'failed', error: 'try later' }],
    });
    expect(result.resources).toHaveLength(1);
    expect(reports[0]).toMatchObject({
      reason: 'ResourceFailed',
      error: { phase: 'resources', step: 'one', message: 'try later' },
    });
  });

  it('When a deletion fails, it should go on with the others and not forget it', async () => {
    const always = '    lifecycle: {delete: {when: {expression: "true"}}}\n';
    const { result } = await run(`resources:${configMap('one', always)}${configMap('two', always)}`, {
      existing: [anExisting('one'), anExisting('two')],
      transport: {
        delete: ({ object }) =>
          object.metadata.name === 'one'
            ? Promise.reject(new StatusError(403, 'Forbidden', 'may not'))
            : Promise.resolve(),
      },
    });
    expect(result).toMatchObject({
      status: 'failed',
      retry: 'never',
      resources: [
        { name: 'one', status: 'failed', operation: 'delete' },
        { name: 'two', status: 'success', operation: 'delete' },
      ],
    });
  });

  it('When a lifecycle expression fails, it should fail the run instead of applying', async () => {
    const broken = '    lifecycle: {delete: {when: {expression: "is_deletng"}}}\n';
    const { result, operations } = await run(`resources:${configMap('one', broken)}`);
    expect(result.status).toBe('failed');
    expect(result.resources[0]).toMatchObject({ operation: 'delete', status: 'failed' });
    expect(operations.some(({ operation }) => operation === 'apply')).toBe(false);
  });

  it('When creation is gated, it should wait while absent and be ignored once it exists', async () => {
    const gated = '    lifecycle: {create: {when: {expression: "false"}}}\n';
    const absent = await run(`resources:${configMap('one', gated)}${report}`);
    expect(absent.result.resources).toMatchObject([{ status: 'skipped', operation: 'skip' }]);
    expect(absent.reports[0]).toMatchObject({ status: 'success', skipped: true });
    const present = await run(`resources:${configMap('one', gated)}`, { existing: [anExisting('one')] });
    expect(present.result.resources).toMatchObject([{ status: 'success', operation: 'update' }]);
  });

  it('When looking up fails before a deletion, it should not take the object for absent', async () => {
    const gone = '    lifecycle: {delete: {when: {expression: "!resources.?one.hasValue()"}}}\n';
    const { result, operations } = await run(`resources:${configMap('one', gone)}`, {
      transport: { find: () => Promise.reject(new StatusError(500, 'InternalError', 'broken')) },
    });
    expect(result).toMatchObject({ status: 'failed', retry: 'backoff', resources: [] });
    expect(operations).toEqual([]);
  });

  it('When an immutable field would change, it should refuse', async () => {
    const rule = '    immutable: [data.region]\n';
    const task = `resources:${configMap('one', rule).replace('kind: ConfigMap', 'kind: ConfigMap\n      data: {region: r2}')}`;
    const { result, operations } = await run(task, { existing: [{ ...anExisting('one'), data: { region: 'r1' } }] });
    expect(result.resources[0]!.error).toContain('ImmutableFieldChanged: data.region');
    expect(operations.some(({ operation }) => operation === 'apply')).toBe(false);
  });

  it('When two resources use different transports, each should use its own', async () => {
    const task =
      `resources:${configMap('one')}${configMap('two', '    transport: {client: maestro, maestro: {target_cluster: "m-{{ .event.id }}"}}\n')}`.replace(
        'kind: ConfigMap\n      metadata: {name: two',
        'kind: ManifestWork\n      metadata: {name: two',
      );
    const targets: (string | undefined)[] = [];
    const { result } = await run(task, {
      transport: {
        apply: ({ targetCluster }) => {
          targets.push(targetCluster);
          return Promise.resolve({ operation: 'create', reason: 'x' });
        },
        find: () => Promise.resolve(anExisting('one')),
      },
    });
    expect(result.status).toBe('success');
    expect(targets).toEqual([undefined, 'm-c1']);
  });

  it('When a payload is not wanted, actions that need it should be skipped', async () => {
    const { result, reports } = await run(
      `
post:
  payloads:
    - {name: yes, build: {a: "{{ .event.id }}", n: {expression: event.generation}, f: {field: event.nope, default: 7}}}
    - {name: no, when: {expression: "false"}, build: {b: 1}}
  post_actions:
    - {name: first, api_call: {method: PUT, url: /a, body: "{{ .no }}"}}
    - {name: second, when: {expression: "1 > 2"}, log: {message: x}}
    - {name: third, api_call: {method: PUT, url: /a, body: "{{ .yes }}"}}
`,
    );
    expect(result.postActions).toMatchObject([
      { name: 'first', status: 'skipped', skipReason: "referenced payload 'no' was skipped" },
      { name: 'second', status: 'skipped' },
      { name: 'third', status: 'success' },
    ]);
    expect(reports).toEqual([{ a: 'c1', n: 3, f: 7 }]);
  });

  it('When a status of a condition is a bool, it should be sent as text', async () => {
    const { reports } = await run(`
post:
  payloads:
    - {name: r, build: {conditions: [{type: A, status: {expression: "1 < 2"}}, {type: B, status: {expression: "false"}}], ok: {expression: "true"}}}
  post_actions: [{name: send, api_call: {method: PUT, url: /a, body: "{{ .r }}"}}]
`);
    expect(reports[0]).toEqual({
      conditions: [
        { type: 'A', status: 'True' },
        { type: 'B', status: 'False' },
      ],
      ok: true,
    });
  });
});

describe('parameters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-params-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'token'), ' secret \n');

  it('When sources differ, each should give its value in its type', async () => {
    const { result } = await run(
      `
params:
  - {name: id, source: event.id}
  - {name: bare, source: spec.size, type: string}
  - {name: gen, source: event.generation, type: int}
  - {name: text, source: event.generation, type: string}
  - {name: port, source: env.PORT, type: int}
  - {name: flag, source: env.FLAG, type: bool}
  - {name: unset, source: env.NOPE, default: 9, type: int}
  - {name: absent, source: env.NOPE}
  - {name: adapterName, source: config.adapter.name}
  - {name: file, source: {file: {path: "${join(folder, 'token')}"}}}
  - {name: raw, source: {file: {path: "${join(folder, 'token')}", trim: false}}}
  - {name: spec, source: event.spec}
  - {name: size, source: spec.size}
  - {name: sum, source: {expression: "gen + port"}}
  - {name: wrong, source: event.id, type: int, default: 1}
`,
      { env: { PORT: '8080', FLAG: 'yes' }, data: { id: 'c1', generation: 3, spec: { size: 2 } } },
    );
    expect(result.params).toEqual({
      id: 'c1',
      bare: '2',
      gen: 3,
      text: '3',
      port: 8080,
      flag: true,
      unset: 9,
      adapterName: 'unit',
      file: 'secret',
      raw: ' secret \n',
      spec: { size: 2 },
      size: 2,
      sum: 8083,
      wrong: 1,
    });
  });
});
