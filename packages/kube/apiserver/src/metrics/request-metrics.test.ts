import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { RequestMetrics } from './request-metrics.ts';

const info = (method: string, path: string) => parseRequestInfo(method, path, { watch: false, fieldSelector: '' });

describe('RequestMetrics', () => {
  it('When requests were answered, it should print their counts by code and their durations', async () => {
    const registry = new Registry();
    const metrics = new RequestMetrics(registry, () => true);
    metrics.observe(info('GET', '/api/v1/namespaces/a/pods/x'), 200, 3);
    metrics.observe(info('GET', '/api/v1/namespaces/a/pods/y'), 404, 700);
    const text = await registry.metrics();
    const labels = 'verb="GET",group="",version="v1",resource="pods",subresource="",scope="resource"';
    expect(text).toContain(`apiserver_request_total{${labels},code="200"} 1`);
    expect(text).toContain(`apiserver_request_total{${labels},code="404"} 1`);
    expect(text).toMatch(/apiserver_request_duration_seconds_bucket\{.*le="0.005"\} 1\n/);
    expect(text).toMatch(/apiserver_request_duration_seconds_bucket\{.*le="\+Inf"\} 2\n/);
    expect(text).toMatch(/apiserver_request_duration_seconds_count\{.*\} 2\n/);
  });

  it('When somebody asks for thousands of made-up resources, it should keep one series for all of them', async () => {
    const registry = new Registry();
    const metrics = new RequestMetrics(registry, () => false);
    for (let i = 0; i < 1000; i++) metrics.observe(info('GET', `/apis/g${i}/v1/r${i}`), 404, 1);
    const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('apiserver_request_total{'));
    expect(lines).toEqual([
      'apiserver_request_total{verb="LIST",group="",version="",resource="",subresource="",scope="",code="404"} 1000',
    ]);
  });
});
