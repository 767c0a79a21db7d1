import { InProcessBroker } from '@hypershift-ts/fleet-broker';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../api-client/client.ts';
import { ApiCallError } from '../api-client/client.ts';
import { loadAdapter } from '../config/load.ts';
import { AdapterService } from './adapter-service.ts';

const task = `
params:
  - {name: cluster, source: {api_call: {method: GET, url: "/clusters/{{ .event.id }}"}}, required: true}
post:
  post_actions: [{name: done, api_call: {method: PUT, url: /done, body: "{}"}}]
`;

function harness(answer: (method: string) => number) {
  const clock = new ManualClock(0);
  const adapter = loadAdapter(
    {
      config: { file: 'c.yaml', text: 'adapter: {name: unit}\nclients: {broker: {topic: t}}' },
      task: { file: 't.yaml', text: task },
    },
    { env: {}, clock },
  );
  const calls: string[] = [];
  const api: ApiClient = {
    call: ({ method, url }) => {
      calls.push(method);
      const status = answer(method);
      if (status === 200) return Promise.resolve({ status, body: '{}', attempts: 1 });
      return Promise.reject(new ApiCallError({ method, url, status, attempts: 1 }));
    },
  };
  const logs: string[] = [];
  const broker = new InProcessBroker({ clock });
  const service = new AdapterService({
    adapter,
    api,
    transports: {},
    env: {},
    subscriber: broker.subscriber({ subscriptionId: 'unit' }),
    log: (level, message) => logs.push(`${level}: ${message}`),
  });
  const event = (data: unknown = { id: 'c1', kind: 'Cluster', generation: 1 }) => ({
    id: 'e1',
    source: 's',
    type: 't',
    extensions: {},
    data,
  });
  return { service, event, calls, logs, broker };
}

describe('AdapterService', () => {
  it.each([
    ['the run succeeds', 200, 'ack', 'success'],
    ['the resource is gone', 404, 'ack', 'skipped'],
    ['the API is down', 503, 'retry', 'failed'],
    ['the API refuses', 400, 'reject', 'failed'],
  ])('When %s, the event should be settled accordingly', async (_, status, verdict, counted) => {
    const { service, event } = harness((method) => (method === 'GET' ? status : 200));
    expect(await service.handle(event())).toBe(verdict);
    expect(service.metrics.text()).toContain(
      `hyperfleet_adapter_events_processed_total{component="unit",version="0.0.0",status="${counted}"} 1`,
    );
  });

  it('When an event has no data, it should be taken out of the way', async () => {
    const { service, event, calls, logs } = harness(() => 200);
    expect(await service.handle(event('text'))).toBe('reject');
    expect(calls).toEqual([]);
    expect(logs).toEqual(['error: an event cannot be handled: the data of the event is not a JSON object']);
  });

  it('When it is started, it should handle what is published and report its health', async () => {
    const { service, event, calls, broker } = harness(() => 200);
    await service.start();
    await broker.publisher().publish('t', event());
    await service.stop();
    expect(calls).toEqual(['GET', 'PUT']);
    expect(await service.health()).toEqual({ healthy: true });
    expect(service.metrics.text()).toContain('hyperfleet_adapter_up{component="unit",version="0.0.0"} 0');
  });
});
