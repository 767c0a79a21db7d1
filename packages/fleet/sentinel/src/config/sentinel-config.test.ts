import { existsSync, readFileSync } from 'node:fs';
import { ConfigError } from '@hypershift-ts/fleet-settings';
import { describe, expect, it } from 'vitest';
import { selectorSearch } from '../api/resource-list.ts';
import { loadSentinelConfig } from './sentinel-config.ts';

const vectors = new URL('../../../../../../shared/vectors/hyperfleet/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, vectors), 'utf8');

interface Case {
  readonly file: string;
  readonly ok: boolean;
  readonly mentions?: string;
  readonly poll_interval?: string;
  readonly defaultDecisionParams?: number;
  readonly page_size?: number;
  readonly timeout?: string;
  readonly topic?: string;
  readonly selector?: string;
  readonly resource_type?: string;
  readonly messageDataKeys?: number;
}

describe.skipIf(!existsSync(vectors))('Sentinel files of others (skipped without ../shared/vectors)', () => {
  const expected = existsSync(vectors)
    ? (JSON.parse(read('expected/sentinel-loader.json')) as {
        cases: Case[];
        env: { set: Record<string, string>; file: string; topic: string }[];
      })
    : { cases: [], env: [] };
  const load = (file: string, env = {}) => loadSentinelConfig({ file, text: read(`sentinel/${file}`) }, env);

  it.each(expected.cases.filter(({ ok }) => ok))('When $file is read, it should be accepted', (one) => {
    const config = load(one.file);
    const { hyperfleet_api: api, broker } = config.clients;
    const actual: Record<string, unknown> = {
      poll_interval: config.poll_interval,
      defaultDecisionParams: config.message_decision.params.length,
      page_size: api.page_size,
      timeout: api.timeout,
      topic: broker.topic,
      selector: selectorSearch(config.resource_selector),
      resource_type: config.resource_type,
      messageDataKeys: Object.keys(config.message_data).length,
    };
    const wanted = Object.fromEntries(Object.entries(one).filter(([key]) => key in actual));
    expect(actual).toMatchObject(wanted);
  });

  it.each(expected.cases.filter(({ ok }) => !ok))('When $file is read, it should be refused', ({ file, mentions }) => {
    expect(() => load(file)).toThrow(ConfigError);
    expect(() => load(file)).toThrow(mentions);
  });

  it.each(expected.env)('When the environment names the topic, it should win', ({ set, file, topic }) => {
    expect(load(file, set).clients.broker.topic).toBe(topic);
  });
});

describe('loadSentinelConfig', () => {
  it.each([
    ['resource_type: clusters\nmessage_data: {id: resource.id}', 'clients.hyperfleet_api.base_url: is required'],
    [
      'resource_type: a b\nclients: {hyperfleet_api: {base_url: "http://x"}}\nmessage_data: {a: {b: " "}}',
      'message_data.a.b: must not be empty',
    ],
    [
      'resource_type: clusters\nclients: {hyperfleet_api: {base_url: "http://x", page_size: 501}}\nmessage_data: {a: b}',
      'page_size',
    ],
  ])('When something is wrong, it should say what', (text, message) => {
    expect(() => loadSentinelConfig({ file: 's.yaml', text }, {})).toThrow(message);
  });
});
