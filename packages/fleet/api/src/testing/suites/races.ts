import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { aReport, startTestServer, type TestServer } from '../fleet-server.ts';

/** Things that happen at the same time. */
export function raceSuite(database: () => Database): void {
  describe('Races', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer(database());
    });
    afterAll(() => server.stop());
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort((a, b) => a - b);

    it('When many create the same name, exactly one should succeed', async () => {
      const body = { kind: 'Cluster', name: 'only-one', spec: {} };
      const answers = await Promise.all(Array.from({ length: 6 }, () => server.call('POST', '/clusters', body)));
      expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409]);
    });

    it('When many change one resource, every change should be a generation', async () => {
      const { href } = (await server.call('POST', '/clusters', { kind: 'Cluster', name: 'busy', spec: {} })).body;
      await Promise.all(Array.from({ length: 6 }, (_, n) => server.call('PATCH', href, { spec: { n } })));
      expect((await server.call('GET', href)).body.generation).toBe(7);
    });

    it('When a tree is deleted, finalized and added to at once, nothing should fail and nothing should be left', async () => {
      const { href } = (await server.call('POST', '/clusters', { kind: 'Cluster', name: 'tree', spec: {} })).body;
      const pools = [];
      for (const name of ['one', 'two', 'three'])
        pools.push((await server.call('POST', `${href}/nodepools`, { kind: 'NodePool', name, spec: {} })).body);
      const late = { kind: 'NodePool', name: 'late', spec: {} };
      const [deleted, added] = await Promise.all([
        server.call('DELETE', href),
        server.call('POST', `${href}/nodepools`, late),
      ]);
      expect(deleted.status).toBe(202);
      expect([201, 409]).toContain(added.status);
      if (added.status === 201) pools.push(added.body);
      server.clock.advance(1000);
      const finalized = { Available: 'False', Finalized: 'True' };
      const everybody = [
        ...['validation', 'dns', 'pullsecret', 'hypershift'].map((adapter) => ({ path: href, adapter })),
        ...pools.flatMap((pool) => ['validation', 'hypershift'].map((adapter) => ({ path: pool.href, adapter }))),
      ];
      const reports = await Promise.all(
        everybody.map(({ path, adapter }) =>
          server.call('PUT', `${path}/statuses`, aReport(server, adapter, 2, finalized)),
        ),
      );
      expect(new Set(statuses(reports))).toEqual(new Set([201]));
      for (const path of [href, ...pools.map((pool) => pool.href)])
        expect((await server.call('GET', path)).status).toBe(404);
    });
  });
}
