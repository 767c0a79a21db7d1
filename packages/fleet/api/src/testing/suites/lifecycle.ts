import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { aReport, prefix, startTestServer, type TestServer } from '../fleet-server.ts';

const adapters = ['validation', 'dns', 'pullsecret', 'hypershift'];
let names = 0;
const newName = () => `c${String(++names).padStart(4, '0')}`;

/** From creation to the last row, over HTTP. */
export function lifecycleSuite(database: () => Database): void {
  describe('The life of a resource', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer(database());
    });
    afterAll(() => server.stop());

    const create = async (plural: string, kind: string, spec: object = {}, more: object = {}) => {
      const { status, body } = await server.call('POST', plural, { kind, name: newName(), spec, ...more });
      expect([status, body.detail]).toEqual([201, undefined]);
      return body as { id: string; name: string; href: string };
    };
    const condition = (body: { status: { conditions: { type: string }[] } }, type: string) =>
      body.status.conditions.find((one) => one.type === type) as Record<string, unknown> | undefined;
    const report = async (path: string, adapter: string, generation: number, statuses?: Record<string, string>) => {
      server.clock.advance(1000);
      return server.call('PUT', `${path}/statuses`, aReport(server, adapter, generation, statuses));
    };
    const finalized = { Available: 'False', Finalized: 'True' };

    it('When a cluster is created, it should be at generation 1 and not reconciled', async () => {
      const { status, body, headers } = await server.call('POST', '/clusters', {
        kind: 'Cluster',
        name: 'demo',
        spec: { gcp_region: 'us-central1' },
        labels: { shard: '1' },
      });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        name: 'demo',
        href: `${prefix}/clusters/${body.id}`,
        generation: 1,
        labels: { shard: '1' },
        created_by: 'system@hyperfleet.local',
        created_time: '2026-01-10T10:00:00Z',
      });
      expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(headers.get('vary')).toContain('Authorization');
      expect(body.status.conditions).toHaveLength(2);
      expect(condition(body, 'Reconciled')).toMatchObject({
        status: 'False',
        reason: 'ReconciledMissingAdapters',
        message:
          'Required adapters not reporting Available=True: [dns, hypershift, pullsecret, validation]. Currently reporting: []',
      });
      const again = await server.call('POST', '/clusters', { kind: 'Cluster', name: 'demo', spec: {} });
      expect([again.status, again.body.code, again.body.detail]).toEqual([
        409,
        'HYPERFLEET-CNF-001',
        'This Cluster already exists',
      ]);
    });

    it('When every adapter reports, it should become reconciled; when it changes, it should fall at once', async () => {
      const { href } = await create('/clusters', 'Cluster', { a: 1 }, { labels: { env: 'dev' } });
      for (const adapter of adapters) expect((await report(href, adapter, 1)).status).toBe(201);
      const ready = (await server.call('GET', href)).body;
      expect(condition(ready, 'Reconciled')).toMatchObject({ status: 'True', reason: 'ReconciledAll' });
      expect(condition(ready, 'LastKnownReconciled')).toMatchObject({ status: 'True', observed_generation: 1 });
      expect(condition(ready, 'DnsSuccessful')).toMatchObject({ status: 'True', reason: 'AvailableTrue' });

      const same = await server.call('PATCH', href, { spec: { a: 1 }, labels: { env: 'dev' } });
      expect([same.status, same.body.generation]).toEqual([200, 1]);

      server.clock.advance(5000);
      const changed = (await server.call('PATCH', href, { labels: { env: 'prod' } })).body;
      expect(changed).toMatchObject({ generation: 2, spec: { a: 1 }, labels: { env: 'prod' } });
      expect(condition(changed, 'Reconciled')).toMatchObject({
        status: 'False',
        observed_generation: 2,
        last_transition_time: changed.updated_time,
      });
      expect(condition(changed, 'LastKnownReconciled')).toMatchObject({ status: 'True', observed_generation: 1 });
    });

    it('When reports come late, early or empty-handed, it should ignore them without a body', async () => {
      const { href } = await create('/clusters', 'Cluster');
      const unknown = await report(href, 'dns', 1, { Available: 'Unknown' });
      expect(unknown.status).toBe(201);
      expect((await server.call('GET', href)).body.status.conditions).toHaveLength(2);
      const future = await report(href, 'dns', 2);
      const later = await report(href, 'dns', 1, { Available: 'Unknown' });
      expect([future.status, future.body, later.status]).toEqual([204, '', 204]);
      const { body } = await server.call('GET', `${href}/statuses`);
      expect(body).toMatchObject({ total: 1, size: 1, items: [{ adapter: 'dns', observed_generation: 1 }] });
      const gone = await server.call('PUT', '/clusters/nope/statuses', aReport(server, 'dns', 1));
      expect([gone.status, gone.body.code]).toEqual([404, 'HYPERFLEET-NTF-001']);
    });

    it('When several adapters report at the same moment, none should be lost', async () => {
      const { href } = await create('/clusters', 'Cluster');
      server.clock.advance(1000);
      await Promise.all(adapters.map((adapter) => server.call('PUT', `${href}/statuses`, aReport(server, adapter, 1))));
      expect(condition((await server.call('GET', href)).body, 'Reconciled')).toMatchObject({ status: 'True' });
    });

    it('When a cluster with node pools is deleted, it should go after its last node pool, by itself', async () => {
      const cluster = await create('/clusters', 'Cluster');
      const pool = await create(`${cluster.href}/nodepools`, 'NodePool');
      expect(pool.href).toBe(`${cluster.href}/nodepools/${pool.id}`);
      const deleted = await server.call('DELETE', cluster.href);
      expect(deleted.status).toBe(202);
      expect(deleted.body).toMatchObject({ generation: 2, deleted_by: 'system@hyperfleet.local' });
      expect((await server.call('DELETE', cluster.href)).body.generation).toBe(2);
      expect((await server.call('GET', pool.href)).body).toMatchObject({
        generation: 2,
        deleted_time: deleted.body.deleted_time,
      });

      const late = await server.call('POST', `${cluster.href}/nodepools`, { kind: 'NodePool', name: 'late', spec: {} });
      expect([late.status, late.body.code]).toEqual([409, 'HYPERFLEET-CNF-003']);
      const patched = await server.call('PATCH', cluster.href, { spec: {} });
      expect(patched.body.detail).toBe(`Cluster '${cluster.id}' is marked for deletion`);

      for (const adapter of adapters) expect((await report(cluster.href, adapter, 2, finalized)).status).toBe(201);
      // The pool is marked too, so it is no active child, but the cluster must not go before it.
      expect((await server.call('GET', cluster.href)).status).toBe(200);
      expect((await report(pool.href, 'validation', 2, finalized)).status).toBe(201);
      expect((await report(pool.href, 'hypershift', 2, finalized)).status).toBe(201);
      expect((await server.call('GET', pool.href)).status).toBe(404);
      const gone = await server.call('GET', cluster.href);
      expect([gone.status, gone.body.detail]).toEqual([404, `Cluster with id='${cluster.id}' not found`]);
    });

    it('When a kind restricts deletion or nobody has to clean up, it should refuse or remove at once', async () => {
      const channel = await create('/channels', 'Channel');
      const version = await create(`${channel.href}/versions`, 'Version', {});
      const refused = await server.call('DELETE', channel.href);
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        `Cannot delete Channel '${channel.id}': active Version(s) exist`,
      ]);
      expect((await server.call('GET', channel.href)).body.deleted_time).toBeUndefined();
      expect((await server.call('DELETE', version.href)).status).toBe(202);
      expect((await server.call('GET', version.href)).status).toBe(404);
      expect((await server.call('DELETE', channel.href)).status).toBe(202);
    });

    it('When a deletion is stuck, force-delete should remove the whole tree and leave an audit line', async () => {
      const cluster = await create('/clusters', 'Cluster');
      const pool = await create(`${cluster.href}/nodepools`, 'NodePool');
      const early = await server.call('POST', `${cluster.href}/force-delete`, { reason: 'stuck' });
      expect([early.status, early.body.detail]).toEqual([409, `Cluster '${cluster.id}' is not in Finalizing state`]);
      await server.call('DELETE', cluster.href);
      expect((await server.call('POST', `${cluster.href}/force-delete`, { reason: 'project is gone' })).status).toBe(
        204,
      );
      expect((await server.call('GET', `/nodepools/${pool.id}`)).status).toBe(404);
      expect(server.logged.at(-1)).toMatchObject({
        message: 'resource removed by force',
        fields: { kind: 'Cluster', id: cluster.id, reason: 'project is gone', children: [pool.id] },
      });
    });

    it('When a child is asked for under another parent or posted without one, it should not be found or taken', async () => {
      const [one, other] = [await create('/clusters', 'Cluster'), await create('/clusters', 'Cluster')];
      const pool = await create(`${one.href}/nodepools`, 'NodePool');
      expect((await server.call('GET', `${other.href}/nodepools/${pool.id}`)).status).toBe(404);
      expect((await server.call('GET', `/nodepools/${pool.id}`)).status).toBe(200);
      expect((await server.call('GET', `/channels/${pool.id}`)).status).toBe(404);
      for (const path of ['/nodepools', '/resources']) {
        const flat = await server.call('POST', path, { kind: 'NodePool', name: 'flat', spec: {} });
        expect([flat.status, flat.body.detail]).toEqual([
          422,
          'kind "NodePool" is a child kind; create it via /clusters/{id}/nodepools',
        ]);
      }
      const nobody = await server.call('GET', '/clusters/nobody/nodepools');
      expect(nobody.body.detail).toBe("Cluster with id='nobody' not found");
    });
  });
}
