import { describe, expect, it } from 'vitest';
import { instantFromMs } from '../instant.ts';
import type { AdapterStatus, ReportStatus, ResourceCondition } from '../resources/model.ts';
import type {
  AggregationCase as Case,
  ExpectedCondition as Expected,
  PreviousRow,
  ReportRow,
} from '../testing/aggregation-cases.ts';
import { vectors } from '../testing/vectors.ts';
import { aggregate, allFinalized } from './aggregate.ts';

const at = (seconds: number) => instantFromMs(seconds * 1000);

function report([adapter, generation, available, finalized, time]: ReportRow): AdapterStatus {
  const condition = (type: string, status: ReportStatus) => ({ type, status, last_transition_time: at(time) });
  return {
    adapter,
    observed_generation: generation,
    conditions: [condition('Available', available), ...(finalized ? [condition('Finalized', finalized)] : [])],
    created_time: at(time),
    last_report_time: at(time),
  };
}

function previous(type: string, row: PreviousRow | undefined): ResourceCondition[] {
  if (!row) return [];
  const [status, generation, updated, transition] = row;
  return [
    {
      type,
      status,
      reason: '',
      message: '',
      observed_generation: generation,
      created_time: at(1),
      last_updated_time: at(updated),
      last_transition_time: at(transition),
    },
  ];
}

function asExpected({ last_updated, last_transition, ...rest }: Expected) {
  return {
    ...rest,
    ...(last_updated === undefined ? {} : { last_updated_time: at(last_updated) }),
    ...(last_transition === undefined ? {} : { last_transition_time: at(last_transition) }),
  };
}

function run(one: Case) {
  const reports = one.reports.map(report);
  const required = one.required ?? ['a', 'b'];
  const conditions = aggregate({
    required,
    reports,
    generation: one.generation,
    updatedTime: at(one.refTime),
    previous: [...previous('Reconciled', one.prevReconciled), ...previous('LastKnownReconciled', one.prevLastKnown)],
    deleting: one.deleted === true,
    activeChildren: one.activeChildren === true,
  });
  return { conditions, finalized: allFinalized(required, reports, one.generation) };
}

const file = 'expected/aggregation-cases.json';

describe.skipIf(!vectors.has(file))('Aggregation by the shared truth table', () => {
  const { cases } = vectors.has(file) ? vectors.json<{ cases: Case[] }>(file) : { cases: [] };

  it.each(cases)('When the case is $id, it should give the expected conditions', (one) => {
    const { conditions, finalized } = run(one);
    const [reconciled, lastKnown, ...adapters] = conditions;
    if (one.reconciled) expect(reconciled).toMatchObject(asExpected(one.reconciled));
    if (one.lastKnown) expect(lastKnown).toMatchObject(asExpected(one.lastKnown));
    if (one.adapterConditions) {
      expect(adapters.map((c) => [c.type, c.status, c.observed_generation, c.last_updated_time])).toEqual(
        one.adapterConditions.map(([type, status, generation, time]) => [type, status, generation, at(time)]),
      );
    }
    if (one.hardDeleted) expect(finalized && one.activeChildren !== true).toBe(true);
  });
});

describe('aggregate', () => {
  const base: Case = { id: '', generation: 2, refTime: 200, reports: [] };

  it('When a report is about a later generation or does not know, it should count as missing', () => {
    const { conditions } = run({
      ...base,
      reports: [
        ['a', 3, 'True', null, 210],
        ['b', 2, 'Unknown', null, 210],
      ],
    });
    expect(conditions).toHaveLength(2);
    expect(conditions[0]?.message).toContain('[a, b]. Currently reporting: []');
  });

  it('When the same input is aggregated again, it should give the same conditions', () => {
    const one = {
      ...base,
      reports: [
        ['a', 2, 'True', null, 210],
        ['b', 2, 'True', null, 220],
      ] as ReportRow[],
    };
    const first = run(one).conditions;
    const again = aggregate({
      required: ['a', 'b'],
      reports: one.reports.map(report),
      generation: 2,
      updatedTime: at(200),
      previous: first,
      deleting: false,
      activeChildren: false,
    });
    expect(again).toEqual(first);
  });
});
