import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { toJson } from '@hypershift-ts/kube-cel';
import { describe, expect, it } from 'vitest';
import { compileExpression, withDoubles } from './index.ts';

const clock = new ManualClock(Date.parse('2026-01-01T00:10:00Z'));

const bindings = {
  cluster: withDoubles({
    nodes: { compute: 3, ratio: 0.5 },
    conditions: [{ type: 'Reconciled', status: 'True', last_transition_time: '2026-01-01T00:00:00Z' }],
  }),
  job: { conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-01-01T00:09:30Z' }], active: 2 },
  feedback: {
    values: [
      { name: 'phase', fieldValue: { type: 'String', string: 'Active' } },
      { name: 'count', fieldValue: { type: 'Integer', integer: 4 } },
      { name: 'ok', fieldValue: { type: 'Boolean', boolean: false } },
      { name: 'status', fieldValue: { type: 'JsonRaw', jsonRaw: '{"a":[1]}' } },
      { name: 'cut', fieldValue: { type: 'JsonRaw', jsonRaw: '{"a":' } },
    ],
  },
};

const run = (source: string): unknown => {
  const result = compileExpression(source, clock).evaluate(bindings);
  return result.ok ? toJson(result.value) : `error: ${result.message}`;
};

describe('adapter expressions', () => {
  it.each<[string, unknown]>([
    ['', true],
    ['now()', '2026-01-01T00:10:00Z'],
    ['conditionStatus(cluster.conditions, "Reconciled")', 'True'],
    ['conditionStatus(cluster.conditions, "Nope")', 'Unknown'],
    ['conditionAge(cluster.conditions, "Reconciled")', 600],
    ['conditionAge(cluster.conditions, "Nope")', -1],
    ['conditionAge(job.conditions, "Complete")', 30],
    ['stableFor(cluster.conditions, "Reconciled", 600)', true],
    ['stableFor(cluster.conditions, "Reconciled", 601)', false],
    ['triState(false, true) + triState(true, true) + triState(false, false)', 'FalseTrueUnknown'],
    ['dig(cluster, "conditions.0.type")', 'Reconciled'],
    ['dig(cluster, "conditions.1.type") == null', true],
    ['toJson(cluster.nodes)', '{"compute":3,"ratio":0.5}'],
    ['statusFeedbackValue(feedback, "phase")', 'Active'],
    ['statusFeedbackValue(feedback, "count") + 1', 5],
    ['statusFeedbackValue(feedback, "ok")', false],
    ['statusFeedbackValue(feedback, "status").a[0]', 1],
    ['statusFeedbackValue(feedback, "cut")', '{"a":'],
    ['statusFeedbackValue(feedback, "none")', ''],
    ['cluster.nodes.compute * 2.0', 6],
    ['cluster.nodes.compute + 1', 'error: no such overload'],
    ['job.active + 1', 3],
    ['cluster.nodes.compute == 3', true],
    ['string(cluster.nodes.compute)', '3'],
  ])('When %s is evaluated, it should give %j', (source, expected) => {
    expect(run(source)).toEqual(expected);
  });

  it('When a condition gives no bool, it should say so', () => {
    expect(compileExpression('"yes"', clock).test({})).toEqual({ message: 'the expression "\\"yes\\"" gives no bool' });
    expect(compileExpression('1 < 2', clock).test({})).toBe(true);
  });
});
