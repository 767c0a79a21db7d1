import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterCommand } from '@hypershift-ts/fleet-adapter';
import { sentinelCommand } from '@hypershift-ts/fleet-sentinel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AmqpServer } from '../../packages/fleet/broker/src/testing/amqp-server.ts';

const cluster = {
  id: 'c1',
  kind: 'Cluster',
  generation: 1,
  status: {
    conditions: [
      { type: 'Reconciled', status: 'False', observed_generation: 1, last_updated_time: '2026-01-01T00:00:00Z' },
    ],
  },
};

describe('the commands of Sentinel and adapter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-services-'));
  const stop = new AbortController();
  const reports: unknown[] = [];
  const running: Promise<number>[] = [];
  let amqp: AmqpServer;

  const api = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'PUT') reports.push(JSON.parse(body));
      const isList = request.url?.startsWith('/api/hyperfleet/v1/clusters?');
      const items = request.url?.includes('probe') ? [] : [cluster];
      response.end(JSON.stringify(isList ? { items, page: 1, size: items.length, total: items.length } : cluster));
    });
  });

  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  beforeAll(async () => {
    amqp = await AmqpServer.start();
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all(running);
    await amqp.stop();
    api.closeAllConnections();
    await new Promise((resolve) => api.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it('When both serve over RabbitMQ, an event should lead to a report, and both should end when asked', async () => {
    const base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    const clients = `clients: {hyperfleet_api: {base_url: "${base}"}, broker: {topic: clusters}}`;
    const adapter = file(
      'adapter.yaml',
      `adapter: {name: cli}\n${clients.replace('topic:', 'subscription_id: cli, topic:')}\n`,
    );
    const task = file(
      'task.yaml',
      `post:\n  payloads: [{name: r, build: {id: "{{ .event.id }}", generation: {expression: event.generation}}}]\n  post_actions: [{name: send, api_call: {method: PUT, url: "/clusters/{{ .event.id }}/statuses", body: "{{ .r }}"}}]\n`,
    );
    const sentinel = file(
      'sentinel.yaml',
      `resource_type: clusters\npoll_interval: 1s\n${clients}\nmessage_data: {id: resource.id, generation: resource.generation}\n`,
    );
    const broker = file(
      'broker.yaml',
      `broker: {type: rabbitmq, rabbitmq: {url: "${amqp.url}", publisher_confirm: true}}\n`,
    );
    const context = {
      env: { BROKER_CONFIG_FILE: broker },
      version: '1.0.0',
      out: () => {},
      err: (text: string) => void process.stderr.write(text),
      signal: stop.signal,
    };
    const ports = ['--health-server-bindaddress', '127.0.0.1:0', '--metrics-server-bindaddress', '127.0.0.1:0'];
    running.push(adapterCommand(['serve', '-c', adapter, '-t', task, ...ports], context));
    // Events of a topic go to the queues that exist, so the adapter comes first.
    await vi.waitFor(() => expect([...amqp.queues.keys()]).toEqual(['clusters-cli']), { timeout: 20_000 });
    running.push(sentinelCommand(['serve', '-c', sentinel, ...ports], context));
    await vi.waitFor(() => expect(reports).toContainEqual({ id: 'c1', generation: 1 }), { timeout: 20_000 });
    stop.abort();
    expect(await Promise.all(running)).toEqual([0, 0]);
  });
});
