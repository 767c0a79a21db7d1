import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { ApiClientConfig } from '../config/adapter-config.ts';
import { ApiCallError } from './client.ts';
import { HttpApiClient } from './http-client.ts';
import { apiUrl } from './url.ts';

const config: ApiClientConfig = {
  base_url: 'http://api.test:8000/',
  version: 'v1',
  timeout: '10s',
  retry_attempts: 3,
  retry_backoff: 'exponential',
  base_delay: '1s',
  max_delay: '3s',
  default_headers: { 'X-Tenant': 't' },
};

/** A client whose answers are given and whose waits pass at once. */
function harness(answers: readonly (Response | Error)[]) {
  const clock = new ManualClock(0);
  const waits: number[] = [];
  const calls: { url: string; headers: Headers; body: unknown }[] = [];
  const queue = [...answers];
  const client = new HttpApiClient({
    config,
    userAgent: 'hyperfleet-adapter/0.1.0',
    random: () => 0.5,
    clock: {
      now: () => clock.now(),
      after: (ms, callback) => {
        waits.push(ms);
        queueMicrotask(callback);
        return () => {};
      },
    },
    fetch: (url, init) => {
      calls.push({ url, headers: new Headers(init.headers), body: init.body });
      const next = queue.shift() ?? new Response('{}');
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  });
  return { client, calls, waits };
}

describe('HttpApiClient', () => {
  it('When the API answers, it should send what belongs to the API', async () => {
    const { client, calls } = harness([new Response('{"a":1}')]);
    const answer = await client.call({ method: 'PUT', url: '/clusters/1?size=2', body: '{}', headers: { 'X-A': 'b' } });
    expect(answer).toEqual({ status: 200, body: '{"a":1}', attempts: 1 });
    expect(calls[0]!.url).toBe('http://api.test:8000/api/hyperfleet/v1/clusters/1?size=2');
    expect(Object.fromEntries(calls[0]!.headers)).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'hyperfleet-adapter/0.1.0',
      'x-a': 'b',
      'x-tenant': 't',
    });
  });

  it('When another host is called, it should not send the headers meant for the API', async () => {
    const { client, calls } = harness([]);
    await client.call({ method: 'GET', url: 'https://other.test/x?y=1' });
    expect(calls[0]!.url).toBe('https://other.test/x?y=1');
    expect(calls[0]!.headers.has('x-tenant')).toBe(false);
  });

  it('When failures may pass, it should try again with growing waits', async () => {
    const { client, waits } = harness([new Error('reset'), new Response('', { status: 503 }), new Response('ok')]);
    expect(await client.call({ method: 'GET', url: '/x' })).toMatchObject({ body: 'ok', attempts: 3 });
    expect(waits).toEqual([1000, 2000]);
  });

  it('When failures last, it should say what was asked and answered', async () => {
    const { client } = harness(
      [1, 2, 3].map(() => new Response('{"code":"HYPERFLEET-INT-001","detail":"broken"}', { status: 500 })),
    );
    const error = await client.call({ method: 'GET', url: '/x' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiCallError);
    expect(error).toMatchObject({ status: 500, attempts: 3, isTransient: true, code: 'HYPERFLEET-INT-001' });
    expect((error as Error).message).toBe(
      'GET http://api.test:8000/api/hyperfleet/v1/x: HTTP 500 after 3 attempts: broken',
    );
  });

  it.each([
    ['HYPERFLEET-NTF-002', true],
    ['HYPERFLEET-NTF-000', false],
  ])('When a 404 has code %s, it should mean gone: %s', async (code, gone) => {
    const { client, calls } = harness([new Response(JSON.stringify({ code }), { status: 404 })]);
    const error = await client.call({ method: 'GET', url: '/x' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ isResourceGone: gone, isTransient: false });
    expect(calls).toHaveLength(1);
  });
});

describe('apiUrl', () => {
  const base = { baseUrl: 'http://api:8000', version: 'v1' };
  it.each([
    ['/clusters/1', '/api/hyperfleet/v1/clusters/1'],
    ['clusters/1?a=b', '/api/hyperfleet/v1/clusters/1?a=b'],
    ['/api/hyperfleet/v1/clusters', '/api/hyperfleet/v1/clusters'],
    ['http://api:8000/api/v1/clusters/1/statuses?size=100', '/api/v1/clusters/1/statuses?size=100'],
    ['http://api:8000/clusters', '/api/hyperfleet/v1/clusters'],
    ['http://other:8000/clusters', 'http://other:8000/clusters'],
    ['/apis/x', '/api/hyperfleet/v1/apis/x'],
  ])('When the URL is %s, it should become %s', (url, expected) => {
    expect(apiUrl(url, base)).toBe(expected);
  });
});
