import { describe, expect, it } from 'vitest';
import { hasVectors, vectorText, vectors } from '../testing/vectors.ts';
import type { LoadedAdapter, LoadOptions } from './load.ts';
import { loadAdapter } from './load.ts';
import { ConfigError } from '@hypershift-ts/fleet-settings';

const env = { HYPERFLEET_API_BASE_URL: 'http://api', HYPERFLEET_API_TOKEN: 'x' };

const config = `
adapter: {name: test, version: "0.1.0"}
clients:
  hyperfleet_api: {timeout: 2s}
`;

function load(task: string, options: LoadOptions = {}, configText = config): LoadedAdapter {
  return loadAdapter(
    { config: { file: 'config.yaml', text: configText }, task: { file: 'task.yaml', text: task } },
    { env: {}, version: '0.1.9', ...options },
  );
}

function problemsOf(task: string, configText = config): readonly string[] {
  try {
    load(task, {}, configText);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ file, line, path, message }) => `${file}:${line} ${path}: ${message}`);
    throw error;
  }
  return [];
}

describe('loadAdapter', () => {
  it('When little is said, it should fill in the defaults', () => {
    const { config: read } = load('');
    expect(read.clients.hyperfleet_api).toEqual({
      version: 'v1',
      timeout: '2s',
      retry_attempts: 3,
      retry_backoff: 'exponential',
      base_delay: '1s',
      max_delay: '30s',
    });
    expect(read.clients.kubernetes).toEqual({ qps: 100, burst: 200 });
  });

  it('When the environment and flags say otherwise, it should follow them, flags first', () => {
    const { config: read } = load('', {
      env: {
        HYPERFLEET_API_BASE_URL: 'https://api:8000',
        HYPERFLEET_BROKER_TOPIC: 't1',
        BROKER_SUBSCRIPTION_ID: 's1',
        LOG_LEVEL: 'debug',
        HYPERFLEET_KUBERNETES_QPS: '7',
      },
      flags: { 'clients.broker.topic': 't2' },
    });
    expect(read.clients.hyperfleet_api.base_url).toBe('https://api:8000');
    expect(read.clients.broker).toEqual({ subscription_id: 's1', topic: 't2' });
    expect(read.log).toEqual({ level: 'debug' });
    expect(read.clients.kubernetes.qps).toBe(7);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'a misspelt key',
      'params:\n  - name: a\n    sorce: event.id\n',
      [
        'task.yaml:2 params[0].source: is required: a path such as event.id, or a map with api_call, expression or file',
        'task.yaml:3 params[0].sorce: unknown key "sorce"; did you mean "source"?',
      ],
    ],
    [
      'a bad name',
      'preconditions:\n  - {name: bad-cel, expression: "true"}\n',
      ['task.yaml:2 preconditions[0].name: "bad-cel" does not match ^[a-z][a-zA-Z0-9_]*$'],
    ],
    [
      'a wrong operator',
      'preconditions:\n  - name: a\n    conditions:\n      - {field: x, operator: is, value: 1}\n',
      [
        'task.yaml:4 preconditions[0].conditions[0].operator: "is" is not one of equals, notEquals, in, notIn, contains, greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual, exists, notExists',
      ],
    ],
    [
      'a list that is none',
      'preconditions:\n  - name: a\n    conditions: [{field: x, operator: in, value: 1}]\n',
      ['task.yaml:3 preconditions[0].conditions[0].value: in needs a list'],
    ],
    [
      'a missing variable in an older form',
      'post:\n  postActions:\n    - {type: api_call, method: PUT, endpoint: "/x/{{ .nope }}"}\n',
      ['task.yaml:3 post.post_actions[0].api_call.url: undefined template variable "nope"'],
    ],
    [
      'a variable of a later step',
      'params:\n  - {name: a, source: {api_call: {method: GET, url: "/{{ .b }}"}}}\n  - {name: b, source: event.id}\n',
      ['task.yaml:2 params[0].source.api_call.url: undefined template variable "b"'],
    ],
    [
      'a missing environment variable',
      'params:\n  - {name: a, source: env.NOPE_NOT_SET, required: true}\n',
      ['task.yaml:2 params[0].source: the environment variable NOPE_NOT_SET is required and not set'],
    ],
    [
      'a name taken twice',
      'params:\n  - {name: a, source: event.id}\n  - {name: a, source: event.id}\n',
      ['task.yaml:3 params[1].name: the name "a" is taken'],
    ],
  ])('When there is %s, it should say where', (_, task, expected) => {
    expect(problemsOf(task)).toEqual(expected);
  });

  it('When the adapter file is wrong, it should say where', () => {
    expect(
      problemsOf(
        '',
        'adapter: {name: a, version: "0.2.0"}\nclients:\n  hyperfleet_api: {timeout: soon}\n  kafka: {}\n',
      ),
    ).toEqual([
      'config.yaml:3 clients.hyperfleet_api.timeout: a duration such as "10s" is expected, not "soon"',
      'config.yaml:4 clients.kafka: unknown key "kafka"',
      'config.yaml:1 adapter.version: version 0.2.0 is configured but this adapter is 0.1.9; major and minor must be the same',
    ]);
  });

  it('When a reference leads out of the folder, it should be refused', () => {
    const task = 'resources:\n  - {name: a, manifest: {ref: ../secret}, discovery: {by_name: a}}\n';
    expect(problemsOf(task)[0]).toContain('leads out of the folder');
  });
});

const pair = (configPath: string, taskPath?: string, options: LoadOptions = {}): LoadedAdapter =>
  loadAdapter(
    {
      config: { file: `${vectors}/adapter/${configPath}`, text: vectorText(`adapter/${configPath}`) },
      ...(taskPath === undefined
        ? {}
        : { task: { file: `${vectors}/adapter/${taskPath}`, text: vectorText(`adapter/${taskPath}`) } }),
    },
    { env, ...options },
  );

describe.runIf(hasVectors)('files of others', () => {
  const local = (path: string): string => {
    const names: Readonly<Record<string, string>> = {
      '/etc/adapter/job.yaml': 'adapter/examples/kubernetes/adapter-task-resource-job.yaml',
      '/etc/adapter/manifestwork.yaml': 'adapter/examples/maestro/adapter-task-resource-manifestwork.yaml',
      '/etc/adapter/manifestwork-configmap.yaml':
        'adapter/examples/maestro-two-resources/adapter-task-resource-manifestwork-configmap.yaml',
      '/etc/adapter/manifestwork-namespace.yaml':
        'adapter/examples/maestro-two-resources/adapter-task-resource-manifestwork-namespace.yaml',
    };
    return vectorText(names[path] ?? path.slice(vectors.length + 1));
  };

  it.each([
    ['templates/adapter-config-template.yaml', 'templates/adapter-task-config-template.yaml'],
    ['loader/unit/adapter-config.yaml', 'loader/unit/task-config.yaml'],
    ['examples/kubernetes/adapter-config.yaml', 'examples/kubernetes/adapter-task-config.yaml'],
    ['examples/maestro/adapter-config.yaml', 'examples/maestro/adapter-task-config.yaml'],
    ['examples/maestro-two-resources/adapter-config.yaml', 'examples/maestro-two-resources/adapter-task-config.yaml'],
  ])('When %s and %s are loaded, they should be accepted as current', (configPath, taskPath) => {
    expect(pair(configPath, taskPath, { readFile: local })).toMatchObject({ older: false });
  });

  it('When the layout is one old file, it should be accepted and split', () => {
    const loaded = pair('loader/adapter-config-template.yaml');
    expect(loaded.older).toBe(true);
    expect(loaded.config.clients.hyperfleet_api.timeout).toBe('2s');
    expect(loaded.config.clients.kubernetes.api_version).toBe('v1');
    expect(loaded.task.resources.map(({ name }) => name)).toEqual([
      'clusterNamespace',
      'clusterConfigMap',
      'clusterSecret',
      'validationJob',
      'clusterController',
    ]);
    const report = loaded.task.post.payloads[0]?.build as {
      conditions: { type: string }[];
      observed_generation: unknown;
    };
    expect(report.conditions.map(({ type }) => type)).toEqual(['Applied', 'Available', 'Health']);
    expect(report.observed_generation).toEqual({ expression: 'eventGenerationId' });
  });

  it('When the canonical form is loaded again, it should be the same', () => {
    const first = pair('loader/adapter-config-template.yaml');
    const again = loadAdapter(
      { config: { file: `${vectors}/adapter/loader/again.yaml`, text: JSON.stringify(first.canonical) } },
      { env },
    );
    expect(again.task).toEqual(first.task);
  });
});
