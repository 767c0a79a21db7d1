import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { adapterCommand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'adapter-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const config = write(
  'config.yaml',
  'adapter: {name: cli, version: "1.2"}\nclients: {hyperfleet_api: {default_headers: {Authorization: secret}}}\n',
);
const task = write(
  'task.yaml',
  `
params: [{name: id, source: event.id, required: true}]
resources:
  - name: one
    manifest: {apiVersion: v1, kind: ConfigMap, metadata: {name: "{{ .id }}", namespace: ns}}
    discovery: {namespace: ns, by_name: "{{ .id }}"}
`,
);
const event = write(
  'event.json',
  JSON.stringify({ specversion: '1.0', id: 'e', type: 't', source: 's', data: { id: 'c1' } }),
);

async function run(...args: string[]) {
  let [out, err] = ['', ''];
  const code = await adapterCommand(args, {
    env: {},
    version: '1.2.3',
    out: (text) => (out += text),
    err: (text) => (err += text),
    signal: AbortSignal.abort(),
  });
  return { code, out, err };
}

describe('adapterCommand', () => {
  it('When a dry run is asked for, it should print its trace', async () => {
    const dry = ['serve', '-c', config, '-t', task, '--dry-run-event', event];
    const text = await run(...dry);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toContain('[1/1] one                            CREATE ConfigMap ns/c1: dry-run create');
    const json = await run(...dry, '--dry-run-output=json');
    expect(JSON.parse(json.out)).toMatchObject({ status: 'success', resources: [{ operation: 'create' }] });
  });

  it('When the configuration is dumped, secrets should be masked and flags applied', async () => {
    const { code, out } = await run('config-dump', '-c', config, '-t', task, '--broker-topic', 'topic-x');
    expect(code).toBe(0);
    expect(out).toContain('topic: topic-x');
    expect(out).toContain('Authorization: "***REDACTED***"');
    expect(out).not.toContain('secret');
  });

  it.each([
    [['version'], 0, '1.2.3'],
    [['serve', '-c', join(folder, 'nope.yaml')], 1, 'cannot be read'],
    [['serve', '--wrong'], 1, 'unknown argument --wrong'],
    [['serve', '-c', config, '-t', task], 1, 'clients.broker.subscription_id is not set'],
    [['dance'], 2, 'usage: hyperfleet-adapter'],
    [[], 0, 'usage: hyperfleet-adapter'],
  ])('When %j is run, it should end with %i', async (args, code, said) => {
    const result = await run(...args);
    expect(result.code).toBe(code);
    expect(result.out + result.err).toContain(said);
  });
});
