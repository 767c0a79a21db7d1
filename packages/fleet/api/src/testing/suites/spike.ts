import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { componentViolations } from '../contract.ts';
import { aReport, startTestServer, type TestServer } from '../fleet-server.ts';
import { vectors } from '../vectors.ts';

const old = 'api-spec/core-phase-era-v1.0.0.yaml';

/** The first API beside today's, and the inventory of management clusters it asks for. */
export function spikeSuite(database: () => Database): void {
  describe('The first API', () => {
    let server: TestServer;
    let id: string;
    beforeAll(async () => {
      server = await startTestServer(database());
      id = (await server.call('POST', '/api/v1/clusters', { kind: 'Cluster', name: 'demo', spec: {} })).body.id;
    });
    afterAll(() => server.stop());
    const status = async () => (await server.call('GET', `/api/v1/clusters/${id}`)).body.status;
    const report = (adapter: string, statuses?: Record<string, string>) => {
      server.clock.advance(1000);
      return server.call('POST', `/api/v1/clusters/${id}/statuses`, aReport(server, adapter, 1, statuses));
    };

    it('When reports are posted, it should show phase and adapters as the spike reads them', async () => {
      expect(await status()).toMatchObject({ phase: 'NotReady', adapters: [], observed_generation: 1 });
      expect((await report('validation', { Health: 'False' })).status).toBe(201);
      const failed = await status();
      expect(failed).toMatchObject({
        phase: 'Failed',
        adapters: [{ name: 'validation', available: true, observed_generation: 1 }],
      });
      if (vectors.has(old)) expect(componentViolations(old, 'ClusterStatus', failed)).toEqual([]);
      for (const adapter of ['validation', 'dns', 'pullsecret', 'hypershift']) await report(adapter);
      expect(await status()).toMatchObject({ phase: 'Ready' });
      await server.call('DELETE', `/api/v1/clusters/${id}`);
      expect(await status()).toMatchObject({ phase: 'Terminating' });
    });

    it('When today’s routes are used, nothing of it should show, unless asked for', async () => {
      const today = (await server.call('GET', `/clusters/${id}`)).body;
      expect(Object.keys(today.status)).toEqual(['conditions']);
      expect((await server.call('GET', `/clusters/${id}?view=spike`)).body.status.phase).toBe('Terminating');
      expect((await server.call('POST', `/clusters/${id}/statuses`, {})).status).toBe(405);
      expect((await server.call('GET', '/api/v1/clusters')).body).toMatchObject({ kind: 'ClusterList', total: 1 });
    });

    it('When management clusters are asked for by region and health, it should give the healthy ones there', async () => {
      const add = async (name: string, region: string, health?: string) => {
        const spec = { region, consumer_name: name, capacity: { max_hosted_clusters: 10 } };
        const { body, status: code } = await server.call('POST', '/management-clusters', {
          kind: 'ManagementCluster',
          name,
          spec,
        });
        expect(code).toBe(201);
        if (health)
          await server.call('PUT', `${body.href}/statuses`, aReport(server, 'heartbeat', 1, { Health: health }));
      };
      await add('mgmt-east-1', 'us-east', 'True');
      await add('mgmt-east-2', 'us-east', 'False');
      await add('mgmt-east-3', 'us-east');
      await add('mgmt-west-1', 'us-west', 'True');
      const found = await server.call('GET', '/api/v1/management-clusters?region=us-east&status=healthy');
      expect(found.body.items.map((item: { name: string }) => item.name)).toEqual(['mgmt-east-1']);
      const search = new URLSearchParams({ search: "spec.region='us-west' and status.conditions.Healthy='True'" });
      expect((await server.call('GET', `/management-clusters?${search.toString()}`)).body.total).toBe(1);
      expect((await server.call('GET', '/api/v1/management-clusters?status=ill')).status).toBe(400);
      const wrong = await server.call('POST', '/management-clusters', {
        kind: 'ManagementCluster',
        name: 'abc',
        spec: {},
      });
      expect([wrong.status, wrong.body.detail]).toEqual([400, 'Invalid ManagementClusterSpec']);
    });
  });
}
