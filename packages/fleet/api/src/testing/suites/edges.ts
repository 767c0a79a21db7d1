import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, migrate } from '@hypershift-ts/fleet-database';
import { migrations } from '../../store/migrations.ts';
import { aReport, prefix, startTestServer, type TestServer } from '../fleet-server.ts';

/** What the server does with requests nobody should send, and what operators see. */
export function edgeSuite(database: () => Database): void {
  describe('The edges', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer(database());
    });
    afterAll(() => server.stop());

    it.each([
      ['GET', '/nothing', undefined, 404, 'NTF-000'],
      ['GET', '/clusters/x/nothing', undefined, 404, 'NTF-000'],
      ['GET', '/clusters/%E0%A4%A', undefined, 404, 'NTF-000'],
      ['GET', '/clusters/x%00y', undefined, 404, 'NTF-000'],
      ['PUT', '/clusters', {}, 405, 'VAL-005'],
      ['POST', '/clusters', '', 400, 'VAL-006'],
      ['POST', '/clusters', '{', 400, 'VAL-006'],
      ['POST', '/clusters', '[]', 400, 'VAL-006'],
      ['POST', '/clusters', '{"__proto__": {}}', 400, 'VAL-006'],
      ['POST', '/clusters', '{"kind":"Cluster","name":"nul","spec":{"a":"\\u0000"}}', 400, 'VAL-006'],
      ['POST', '/clusters', '{"kind":"Cluster","name":"half","spec":{"a":"\\ud800"}}', 400, 'VAL-005'],
      ['GET', "/clusters?search=name like '\\'", undefined, 400, 'VAL-005'],
      [
        'POST',
        '/clusters',
        { kind: 'Cluster', name: 'deep', spec: JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) },
        201,
        undefined,
      ],
      ['POST', '/clusters', `${'['.repeat(5000)}${']'.repeat(5000)}`, 400, 'VAL-006'],
      ['POST', '/clusters', { kind: 'Cluster', name: 'bad', spec: { endpoint_access: 'No' } }, 400, 'VAL-000'],
      ['POST', '/clusters', 'x'.repeat(1024 * 1024 + 1), 413, 'VAL-006'],
      ['GET', `/clusters?search=${'x'.repeat(17_000)}`, undefined, 414, 'VAL-005'],
    ])('When the request is %s %s, it should be answered (%#)', async (method, path, body, status, code) => {
      const answer = await server.call(method, path, body);
      expect([answer.status, answer.body.code]).toEqual([status, code && `HYPERFLEET-${code}`]);
      if (status === 405) expect(answer.headers.get('allow')).toBe('GET, POST');
    });

    it('When a path ends in a slash or asks only for the head, it should be the same resource', async () => {
      expect((await server.call('GET', '/clusters/')).status).toBe(200);
      const head = await server.call('HEAD', '/clusters');
      expect([head.status, head.body]).toEqual([200, '']);
    });

    it('When something is wrong, the problem should carry the id of the request', async () => {
      const { body, headers } = await server.call('GET', '/clusters/x', undefined, { 'x-request-id': 'trace-1' });
      expect(body).toMatchObject({
        type: 'https://api.hyperfleet.io/errors/not-found',
        title: 'Resource Not Found',
        status: 404,
        detail: "Cluster with id='x' not found",
        instance: `${prefix}/clusters/x`,
        code: 'HYPERFLEET-NTF-001',
        trace_id: 'trace-1',
      });
      expect([headers.get('x-request-id'), headers.get('content-type')]).toEqual([
        'trace-1',
        'application/problem+json',
      ]);
    });

    it('When the documents are asked for, they should describe the configured kinds', async () => {
      const { body } = await server.call('GET', '/openapi');
      expect(Object.keys(body.paths)).toContain(`${prefix}/clusters/{parent_id}/nodepools/{id}/statuses`);
      expect(body.components.schemas.ClusterSpec.properties.gcp_region).toBeDefined();
      expect((await server.call('GET', '/api/hyperfleet')).body).toEqual({
        id: 'hyperfleet',
        kind: 'API',
        href: '/api/hyperfleet',
        version: 'test',
        build_time: 'unknown',
      });
      expect((await server.call('GET', '/openapi.html')).headers.get('content-type')).toContain('text/html');
    });

    it('When metrics are scraped, they should tell requests and what is pending for how long', async () => {
      const cluster = (await server.call('POST', '/clusters', { kind: 'Cluster', name: 'slow', spec: {} })).body;
      await server.call('PUT', `${cluster.href}/statuses`, aReport(server, 'dns', 1));
      server.clock.advance(11 * 60_000);
      const text = String((await server.call('GET', `${server.api.metricsUrl}/metrics`)).body);
      expect(text).toMatch(
        /hyperfleet_api_requests_total\{method="PUT",path="\/api\/hyperfleet\/v1\/clusters\/-\/statuses",code="201",component="hyperfleet-api",version="test"\} 1/,
      );
      expect(text).toMatch(/pending_reconciliation_stuck\{resource_type="Cluster",is_delete="false".*\} 2/);
      expect(text).toMatch(/stuck_duration_seconds\{.*\} 660/);
      expect(text).toContain('hyperfleet_db_query_duration_seconds_count');
      expect((await server.call('GET', `${server.api.healthUrl}/readyz`)).body).toEqual({ status: 'ok' });
    });

    it('When servers start together, each migration should run once', async () => {
      const steps = await Promise.all([migrate(database(), migrations), migrate(database(), migrations)]);
      expect(steps).toEqual([[], []]);
      const { rows } = await database().query<{ id: string }>('select id from migrations order by id');
      expect(rows.map((row) => row.id)).toEqual(migrations.map((one) => one.id));
    });
  });
}
