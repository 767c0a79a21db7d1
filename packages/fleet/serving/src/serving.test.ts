import { describe, expect, it } from 'vitest';
import { createLog, MetricSet, readFlags, startProbes } from './index.ts';

describe('createLog', () => {
  it('When lines are written, they should have the fleet’s form and level', () => {
    const lines: string[] = [];
    const options = { write: (line: string) => lines.push(line), now: () => 0, component: 'adapter', version: '1' };
    const json = createLog({ ...options, level: 'warn' });
    json('info', 'quiet');
    json('error', 'loud', { event_id: 'e' });
    createLog({ ...options, format: 'text' })('info', 'plain', { n: 1 });
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'error',
      message: 'loud',
      component: 'adapter',
      event_id: 'e',
    });
    expect(lines[1]).toMatch(/^1970-01-01T00:00:00\.000Z INFO \[adapter\] \[1\] \[.+\] plain n=1\n$/);
    expect(lines).toHaveLength(2);
  });
});

describe('MetricSet', () => {
  it('When numbers are collected, it should write them for Prometheus', () => {
    const metrics = new MetricSet('x_', { component: 'c' });
    metrics.count('events_total', { status: 'a"b' });
    metrics.count('events_total', { status: 'a"b' });
    metrics.set('up', 1);
    metrics.observe('seconds', 0.3);
    expect(metrics.text()).toContain('# TYPE x_events_total counter\nx_events_total{component="c",status="a\\"b"} 2\n');
    expect(metrics.text()).toContain('x_up{component="c"} 1');
    expect(metrics.text()).toContain(
      'x_seconds_bucket{component="c",le="0.1"} 0\nx_seconds_bucket{component="c",le="0.5"} 1',
    );
    expect(metrics.text()).toContain('x_seconds_count{component="c"} 1');
  });
});

describe('startProbes', () => {
  it('When asked, it should answer as the service is', async () => {
    let isWell = true;
    const probes = await startProbes({
      healthAddress: '127.0.0.1:0',
      metricsAddress: '127.0.0.1:0',
      healthz: () => ({ ok: isWell, body: '{"status":"ok"}' }),
      readyz: () => (isWell ? Promise.resolve({ ok: true, body: '{}' }) : Promise.reject(new Error('broken'))),
      metrics: () => 'm 1\n',
    });
    const get = async (url: string) => {
      const response = await fetch(url);
      return [response.status, await response.text()];
    };
    expect(await get(`${probes.healthUrl}/healthz`)).toEqual([200, '{"status":"ok"}']);
    expect(await get(`${probes.metricsUrl}/metrics`)).toEqual([200, 'm 1\n']);
    isWell = false;
    expect(await get(`${probes.healthUrl}/healthz`)).toEqual([503, '{"status":"ok"}']);
    expect(await get(`${probes.healthUrl}/readyz`)).toEqual([503, '{"status":"error","message":"broken"}']);
    expect((await get(`${probes.healthUrl}/config`))[0]).toBe(404);
    await probes.close();
  });
});

describe('readFlags', () => {
  const names = { values: ['config', 'topic'], switches: ['verbose'], short: { c: 'config' } };

  it('When flags are given in any form, it should read them', () => {
    const flags = readFlags(['-c', 'a.yaml', '--topic=x=y', '--verbose'], names);
    expect([flags.value('config'), flags.value('topic'), flags.has('verbose')]).toEqual(['a.yaml', 'x=y', true]);
  });

  it.each([
    [['--tpoic', 'x'], 'unknown argument --tpoic'],
    [['--topic'], '--topic needs a value'],
    [['serve'], 'unknown argument serve'],
  ])('When %j is given, it should be refused', (args, message) => {
    expect(() => readFlags(args, names)).toThrow(message);
  });
});
