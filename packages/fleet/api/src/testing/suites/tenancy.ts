import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { aReport, startTestServer, type TestServer } from '../fleet-server.ts';

const config = `
server:
  jwt: {enabled: false}
  tenant:
    enabled: true
    system_header: X-System
    dimensions: [{header: X-Org, key: org, required: true}, {header: X-Project, key: project}]
`;

/** Who sees whose resources. */
export function tenancySuite(database: () => Database): void {
  describe('Tenants', () => {
    let server: TestServer;
    let cluster: { id: string; href: string };
    const a = { 'x-org': 'a' };
    const b = { 'x-org': 'b' };
    const system = { 'x-system': 'true' };
    beforeAll(async () => {
      server = await startTestServer(database(), config);
      const body = { kind: 'Cluster', name: 'same', spec: {} };
      cluster = (await server.call('POST', '/clusters', body, { ...a, 'x-project': 'p' })).body;
      expect((await server.call('POST', '/clusters', body, b)).status).toBe(201);
    });
    afterAll(() => server.stop());

    it('When tenants use the same name, each should have its own and see only that', async () => {
      expect(cluster).toMatchObject({ tenancy: { org: 'a', project: 'p' } });
      expect((await server.call('GET', '/clusters', undefined, a)).body.total).toBe(1);
      expect((await server.call('GET', '/clusters', undefined, { ...a, 'x-project': 'q' })).body.total).toBe(0);
      expect((await server.call('GET', cluster.href, undefined, b)).status).toBe(404);
      expect((await server.call('PATCH', cluster.href, { spec: { x: 1 } }, b)).status).toBe(404);
      expect((await server.call('DELETE', cluster.href, undefined, b)).status).toBe(404);
      expect(
        (await server.call('POST', `${cluster.href}/nodepools`, { kind: 'NodePool', name: 'pool', spec: {} }, b))
          .status,
      ).toBe(404);
    });

    it('When a child is created, it should belong to the tenant of its parent', async () => {
      const pool = await server.call(
        'POST',
        `${cluster.href}/nodepools`,
        { kind: 'NodePool', name: 'pool', spec: {} },
        a,
      );
      expect(pool.body.tenancy).toEqual({ org: 'a', project: 'p' });
    });

    it('When the platform calls, it should see all and write only reports', async () => {
      expect((await server.call('GET', '/clusters', undefined, system)).body.total).toBe(2);
      expect((await server.call('PUT', `${cluster.href}/statuses`, aReport(server, 'dns', 1), system)).status).toBe(
        201,
      );
      const refused = await server.call('PATCH', cluster.href, { spec: { x: 1 } }, system);
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
        403,
        'HYPERFLEET-AUZ-001',
        'system identities may only write status and conditions',
      ]);
    });

    it('When a request names no tenant, it should be refused', async () => {
      expect((await server.call('GET', '/clusters')).status).toBe(403);
      expect((await server.call('GET', '/api/hyperfleet')).status).toBe(200);
    });
  });
}
