import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import { startTestServer, type TestServer } from '../fleet-server.ts';

/** Search, order, pages and projections on a real database. */
export function listSuite(database: () => Database): void {
  describe('Lists', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer(database());
      for (const [name, region, size, labels] of [
        ['alpha', 'us-east', 3, { env: 'prod', 'team.io/owner': 'a' }],
        ['beta', 'us-east', 10, { env: 'dev' }],
        ['gamma', 'eu-west', 9, {}],
        ['o-brien', 'eu-west', 'many', { env: 'prod' }],
      ] as const) {
        const spec = { region, pool: { nodeCount: size }, on: name === 'alpha' };
        await server.call('POST', '/clusters', { kind: 'Cluster', name, spec, labels });
        server.clock.advance(1000);
      }
      await server.call('PATCH', `/clusters/${await idOf('beta')}`, { labels: { env: 'dev', more: 'x' } });
      await server.call('DELETE', `/clusters/${await idOf('gamma')}`);
    });
    afterAll(() => server.stop());

    const list = (query: Record<string, string>, path = '/clusters') =>
      server.call('GET', `${path}?${new URLSearchParams(query).toString()}`);
    const idOf = async (name: string): Promise<string> => (await list({ search: `name='${name}'` })).body.items[0].id;

    it.each([
      ["name='alpha'", 'alpha'],
      ["name in ['alpha','beta']", 'alpha beta'],
      ["name like '%a' and not name='beta'", 'alpha gamma'],
      ["name ilike 'AL%'", 'alpha'],
      ["name between 'b' and 'h'", 'beta gamma'],
      ['generation > 1', 'beta gamma'],
      ['generation in [2]', 'beta gamma'],
      ['deleted_time is null', 'alpha beta o-brien'],
      ['deleted_time is not null', 'gamma'],
      ["created_time < '2026-01-10T10:00:01Z'", 'alpha'],
      ["created_time >= '2026-01-10T11:00:03+01:00'", 'o-brien'],
      ["labels.env='prod'", 'alpha o-brien'],
      ["labels.team.io/owner='a'", 'alpha'],
      ["labels.env!='prod'", 'beta'],
      ["not labels.env='prod'", 'beta gamma'],
      ['labels.env is null', 'gamma'],
      ["labels.env in ['dev','stage']", 'beta'],
      ["spec.region='us-east'", 'alpha beta'],
      ["spec.pool.nodeCount='10'", 'beta'],
      ['spec.pool.nodeCount > 9', 'beta'],
      ['spec.pool.nodeCount between 3 and 9', 'alpha gamma'],
      ['spec.on = true', 'alpha'],
      ['spec.nothing is null and spec.region is not null', 'alpha beta gamma o-brien'],
      ["status.conditions.Reconciled='False' and deleted_time is null", 'alpha beta o-brien'],
      ["status.conditions.Reconciled='True'", ''],
      ['status.conditions.Reconciled.observed_generation >= 2', 'beta gamma'],
      ["status.conditions.Reconciled.last_updated_time < '2026-01-10T10:00:00.5Z'", 'alpha'],
      ["kind='Cluster' and (name='alpha' or name='beta') and labels.env='dev'", 'beta'],
      ["name='''; drop table resources; --'", ''],
      ["owner_id is null and created_by='system@hyperfleet.local'", 'alpha beta gamma o-brien'],
    ])('When the search is %s, it should find: %s', async (search, found) => {
      const { status, body } = await list({ search, order: 'name asc' });
      expect([status, body.detail]).toEqual([200, undefined]);
      expect(body.items.map((item: { name: string }) => item.name).join(' ')).toBe(found);
      expect(body).toMatchObject({ page: 1, size: body.items.length, total: body.items.length });
    });

    it('When a search cannot be, it should answer 400 with the reason', async () => {
      for (const search of ["bogus='1'", 'name=', "not status.conditions.Reconciled='True'", 'generation > 1e400000']) {
        const { status, body } = await list({ search });
        expect([search, status, body.code]).toEqual([search, 400, 'HYPERFLEET-VAL-005']);
      }
    });

    it('When pages are asked for, they should be stable and complete', async () => {
      const seen: string[] = [];
      for (let page = 1; page <= 3; page++) {
        const { body } = await list({ page: String(page), size: '2' });
        expect(body).toMatchObject({ page, total: 4, size: page === 3 ? 0 : 2 });
        seen.push(...body.items.map((item: { name: string }) => item.name));
      }
      expect(seen).toEqual(['o-brien', 'gamma', 'beta', 'alpha']);
      const bad = await list({ page: '0', size: '101' });
      expect(bad.body.errors.map((error: { field: string }) => error.field)).toEqual(['page', 'size']);
    });

    it('When fields are named, it should show only them; when there are none such, it should say so', async () => {
      const { body } = await list({ fields: 'name,spec.pool.nodeCount', search: "name='alpha'" });
      expect(body.items).toEqual([{ id: expect.any(String), name: 'alpha', spec: { pool: { nodeCount: 3 } } }]);
      expect((await list({ fields: 'bogus' })).status).toBe(400);
      const one = await server.call('GET', `/clusters/${body.items[0].id}?fields=labels`);
      expect(one.body).toEqual({ id: body.items[0].id, labels: { env: 'prod', 'team.io/owner': 'a' } });
    });

    it('When any kind is listed, it should be narrowed by kind, and unknown kinds refused', async () => {
      await server.call('POST', '/channels', { kind: 'Channel', name: 'stable', spec: {} });
      expect((await list({}, '/resources')).body.total).toBe(5);
      expect((await list({ kind: 'Channel' }, '/resources')).body.items).toMatchObject([
        { kind: 'Channel', status: { conditions: [] } },
      ]);
      const unknown = await list({ kind: 'Nope' }, '/resources');
      expect([unknown.status, unknown.body.detail]).toEqual([400, 'Unknown entity kind: Nope']);
    });
  });
}
