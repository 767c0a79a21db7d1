import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { loadAdapter } from '../config/load.ts';
import { ConfigError } from '@hypershift-ts/fleet-settings';
import { hasVectors, vectorJson, vectors, vectorText } from '../testing/vectors.ts';
import type { Trace } from './index.ts';
import { dryRun, traceText } from './index.ts';

interface Expectation extends JsonObject {
  readonly paramsAbsent?: readonly string[];
  readonly discoveredResourceKeys?: readonly string[];
  readonly statusBody?: JsonObject;
  readonly loadFails?: boolean;
}

interface Case {
  readonly id: string;
  readonly adapterConfig: string;
  readonly taskConfig: string;
  readonly event: string;
  readonly apiResponses?: string;
  readonly discovery?: string;
  readonly expect: Expectation;
}

const folder = 'adapter/dryrun';
const cases = hasVectors ? vectorJson<{ cases: Case[] }>('expected/dryrun-cases.json').cases : [];

const file = (path: string, base = folder) => ({
  file: `${vectors}/${base}/${path}`,
  text: vectorText(`${base}/${path}`),
});

async function runCase({ adapterConfig, taskConfig, event, apiResponses, discovery }: Case): Promise<Trace> {
  const adapter = loadAdapter({ config: file(adapterConfig), task: file(taskConfig) }, { env: {}, version: '0.1.7' });
  return dryRun(adapter, {
    event: vectorJson<JsonValue>(`${folder}/${event}`),
    apiResponses: apiResponses === undefined ? undefined : vectorJson<JsonValue>(`${folder}/${apiResponses}`),
    discovery: discovery === undefined ? undefined : vectorJson<JsonValue>(`${folder}/${discovery}`),
    verbose: true,
    env: {},
  });
}

/** The body of the last status report. */
function statusBody({ apiRequests = [] }: Trace): JsonObject | undefined {
  const report = apiRequests.findLast(({ url }) => url.endsWith('/statuses'));
  return report?.requestBody === undefined ? undefined : (JSON.parse(report.requestBody) as JsonObject);
}

const DIRECT = ['status', 'params', 'preconditions', 'resources', 'discoveredResources', 'postActions', 'apiRequests'];

function expectSubset(trace: Trace, expected: Expectation): void {
  for (const key of DIRECT) {
    const wanted = expected[key];
    if (wanted === undefined) continue;
    const actual = trace[key as keyof Trace];
    // toMatchObject takes an empty object for "anything".
    if (isJsonObject(wanted) && Object.keys(wanted).length === 0) expect(actual).toEqual({});
    else if (typeof wanted === 'object' && wanted !== null) expect(actual).toMatchObject(wanted);
    else expect(actual).toEqual(wanted);
  }
  for (const name of expected.paramsAbsent ?? []) expect(trace.params).not.toHaveProperty(name);
  if (expected.discoveredResourceKeys)
    expect(Object.keys(trace.discoveredResources ?? {}).sort()).toEqual(expected.discoveredResourceKeys.toSorted());
  if (expected['errors'] === null) expect(trace.errors).toBeUndefined();
  if (expected.statusBody) expect(statusBody(trace)).toMatchObject(expected.statusBody);
}

describe.runIf(hasVectors)('dry runs', () => {
  const ordinary = cases.filter(({ id, expect: expected }) => !expected.loadFails && id !== 'param-404-upstream-quirk');

  it.each(ordinary)('When $id is run, it should do as expected', async (one) => {
    const trace = await runCase(one);
    expectSubset(trace, one.expect);
    expect(traceText(trace)).toContain(`Result: ${trace.status.toUpperCase()}`);
  });

  it('When a parameter finds its resource gone, it should stop gracefully before anything is applied', async () => {
    const trace = await runCase(cases.find(({ id }) => id === 'param-404-upstream-quirk')!);
    expect(trace).toMatchObject({ status: 'success', skipReason: 'ResourceNotFound', resources: [], postActions: [] });
    expect(trace.transportOperations).toEqual([]);
  });

  it('When the configuration is wrong, it should not load and say everything that is wrong', async () => {
    const invalid = cases.find(({ expect: expected }) => expected.loadFails)!;
    const error = await runCase(invalid).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    const { problems } = error as ConfigError;
    expect(problems.map(({ path }) => path)).toEqual([
      'preconditions[0].name',
      'preconditions[0].expression',
      'resources[1].manifest.metadata.name',
    ]);
    expect(problems[2]!.message).toBe('undefined template variable "nonExistentVariable"');
  });

  it('When reconciliation is measured, it should be a whole number of seconds', async () => {
    const trace = await runCase(cases.find(({ id }) => id === 'cel-showcase')!);
    const { reconciled_age_seconds: age } = statusBody(trace)!['data'] as JsonObject;
    expect(Number.isInteger(age)).toBe(true);
    expect(age as number).toBeGreaterThan(0);
  });
});

describe.runIf(hasVectors)('deletion in order', () => {
  const base = 'adapter/examples/maestro-two-resources';
  const overrides = hasVectors ? vectorJson<Record<string, JsonValue>>(`${base}/dryrun-discovery.json`) : {};

  const run = (discovery: Record<string, JsonValue>) => {
    const adapter = loadAdapter(
      { config: file('adapter-config.yaml', base), task: file('adapter-task-config.yaml', base) },
      {
        env: {},
        readFile: (path) => vectorText(`${base}/adapter-task-resource-${path.slice('/etc/adapter/'.length)}`),
      },
    );
    const body = {
      name: 'abc123',
      created_time: '2026-01-10T10:00:00Z',
      deleted_time: '2026-04-10T14:00:00Z',
      status: { conditions: [{ type: 'Reconciled', status: 'False' }] },
    };
    const apiResponses = { responses: [{ match: { method: 'GET', urlPattern: '/clusters/' }, responses: [{ body }] }] };
    const event = vectorJson<JsonValue>(`${folder}/event.json`);
    return dryRun(adapter, { event, apiResponses, discovery, verbose: true, env: {} });
  };

  const finalized = (trace: Trace) =>
    (statusBody(trace)!['conditions'] as JsonObject[]).find(({ type }) => type === 'Finalized');

  it('When both works exist, only the first should be deleted', async () => {
    const trace = await run(overrides);
    expect(trace.transportOperations?.filter(({ operation }) => operation === 'delete')).toMatchObject([
      { name: 'abc123-mw2-cm' },
    ]);
    expect(finalized(trace)).toMatchObject({ status: 'False', reason: 'WaitingForConfigMapDeletion' });
  });

  it('When the first is gone, the second should be deleted', async () => {
    const { 'abc123-mw2-cm': _, ...rest } = overrides;
    const trace = await run(rest);
    expect(trace.transportOperations?.filter(({ operation }) => operation === 'delete')).toMatchObject([
      { name: 'abc123-mw2' },
    ]);
    expect(finalized(trace)).toMatchObject({ status: 'False', reason: 'WaitingForNamespaceDeletion' });
  });

  it('When both are gone, it should be finalized', async () => {
    expect(finalized(await run({}))).toMatchObject({ status: 'True', reason: 'CleanupConfirmed' });
  });
});
