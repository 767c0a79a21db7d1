import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@hypershift-ts/fleet-database';
import type { AggregationCase, ExpectedCondition, PreviousRow, ReportRow } from '../aggregation-cases.ts';
import { aReport, startTestServer, type TestServer } from '../fleet-server.ts';
import { vectors } from '../vectors.ts';

const file = 'expected/aggregation-cases.json';
const config = `
entities:
  - {kind: Thing, plural: things, required_adapters: [a, b]}
  - {kind: Part, plural: parts, parent_kind: Thing, on_parent_delete: cascade}
`;

/** The truth table of aggregation through the server: everything before the last report is put into the database. */
export function aggregationSuite(database: () => Database): void {
  const all = vectors.has(file) ? vectors.json<{ cases: AggregationCase[] }>(file).cases : [];
  const cases = all.filter((one) => one.reports.length > 0 && one.required === undefined);

  describe.skipIf(cases.length === 0)('The truth table', () => {
    let server: TestServer;
    let base: number;
    beforeAll(async () => {
      server = await startTestServer(database(), config);
      base = server.clock.now();
      server.clock.advance(400_000);
    });
    afterAll(() => server.stop());
    const at = (seconds: number) => new Date(base + seconds * 1000).toISOString();

    const insertCondition = (id: string, type: string, row: PreviousRow | undefined) =>
      row &&
      database().query(
        `insert into resource_conditions (resource_id, type, status, observed_generation, last_updated_time, last_transition_time)
         values ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz)`,
        [id, type, row[0], row[1], at(row[2]), at(row[3])],
      );
    const reportOf = ([adapter, generation, available, finalized, seconds]: ReportRow) => ({
      ...aReport(server, adapter, generation, { Available: available, ...(finalized ? { Finalized: finalized } : {}) }),
      observed_time: at(seconds),
    });

    /** Everything of a case but its last report. */
    async function prepare(one: AggregationCase): Promise<void> {
      await database().query(
        `insert into resources (id, kind, name, href, spec, generation, created_by, updated_by, updated_time, deleted_time)
         values ($1, 'Thing', $1, '/x', '{}', $2, 'a', 'a', $3::timestamptz, $4::timestamptz)`,
        [one.id, one.generation, at(one.refTime), one.deleted ? at(one.refTime) : null],
      );
      if (one.activeChildren) {
        await database().query(
          `insert into resources (id, kind, name, href, spec, owner_id, created_by, updated_by)
           values ($1, 'Part', 'part', '/x', '{}', $2, 'a', 'a')`,
          [`${one.id}-part`, one.id],
        );
      }
      await insertCondition(one.id, 'Reconciled', one.prevReconciled);
      await insertCondition(one.id, 'LastKnownReconciled', one.prevLastKnown);
      for (const row of one.reports.slice(0, -1)) {
        const { adapter, observed_generation, conditions, observed_time } = reportOf(row);
        await database().query(
          `insert into adapter_statuses (id, resource_type, resource_id, adapter, observed_generation, conditions, last_report_time)
           values ($1, 'Thing', $2, $3, $4, $5::jsonb, $6::timestamptz)`,
          [`${one.id}-${adapter}`, one.id, adapter, observed_generation, JSON.stringify(conditions), observed_time],
        );
      }
    }

    const expected = ({ last_updated, last_transition, ...rest }: ExpectedCondition) => ({
      ...rest,
      ...(last_updated === undefined ? {} : { last_updated_time: at(last_updated).replace('.000Z', 'Z') }),
      ...(last_transition === undefined ? {} : { last_transition_time: at(last_transition).replace('.000Z', 'Z') }),
    });

    it.each(cases)('When the case is $id, the server should show the expected conditions', async (one) => {
      await prepare(one);
      const last = one.reports.at(-1) as ReportRow;
      expect((await server.call('PUT', `/things/${one.id}/statuses`, reportOf(last))).status).toBe(201);
      const { status, body } = await server.call('GET', `/things/${one.id}`);
      expect(status).toBe(one.hardDeleted ? 404 : 200);
      if (one.hardDeleted) return;
      const [reconciled, lastKnown] = body.status.conditions;
      if (one.reconciled) expect(reconciled).toMatchObject(expected(one.reconciled));
      if (one.lastKnown) expect(lastKnown).toMatchObject(expected(one.lastKnown));
    });
  });
}
