import { describe, expect, it } from 'vitest';
import type { Entity } from '../registry/index.ts';
import type { AdapterStatus, Resource } from '../resources/index.ts';
import { conditionMapper } from './index.ts';

const time = '2026-01-10T10:00:00.000000Z';
const later = '2026-01-10T10:05:00.000000Z';

const resource: Resource = {
  id: 'r',
  kind: 'Cluster',
  name: 'demo',
  href: '/x',
  spec: { region: 'us', adminPassword: 'hunter2' },
  labels: {},
  tenancy: {},
  generation: 3,
  references: [],
  conditions: [],
  created_time: time,
  updated_time: time,
  created_by: 'a',
  updated_by: 'a',
};

function report(adapter: string, status: 'True' | 'False' | 'Unknown', data = {}): AdapterStatus {
  const condition = {
    type: 'NamespaceReady',
    status,
    reason: 'Active',
    message: 'namespace is up',
    last_transition_time: later,
  };
  return {
    adapter,
    observed_generation: 3,
    conditions: [condition],
    data,
    created_time: later,
    last_report_time: later,
  };
}

function map(
  output: Partial<Record<'when' | 'status' | 'reason' | 'message', string>>,
  reports: AdapterStatus[],
  on = resource,
) {
  const expression = (name: keyof typeof output, fallback: string) => ({ expression: output[name] ?? fallback });
  const entity: Entity = {
    kind: 'Cluster',
    plural: 'clusters',
    conditions: [
      {
        type: 'LandingZoneReady',
        when: expression(
          'when',
          'statuses.exists(s, s.adapter == "lz" && s.conditions.exists(c, c.type == "NamespaceReady"))',
        ),
        output: {
          status: expression('status', 'statuses.filter(s, s.adapter == "lz")[0].conditions[0].status'),
          reason: expression('reason', 'statuses[0].conditions[0].reason'),
          message: expression('message', '"Landing zone: " + statuses[0].conditions[0].message'),
        },
      },
    ],
  };
  return conditionMapper(entity)?.(on, reports);
}

describe('conditionMapper', () => {
  it('When the rule applies, it should give the condition with the time of the last report', () => {
    expect(map({}, [report('lz', 'True')])).toEqual([
      {
        type: 'LandingZoneReady',
        status: 'True',
        reason: 'Active',
        message: 'Landing zone: namespace is up',
        observed_generation: 3,
        created_time: later,
        last_updated_time: later,
        last_transition_time: later,
      },
    ]);
  });

  it('When the adapter does not know yet or is another one, it should give none', () => {
    expect(map({}, [report('lz', 'Unknown')])).toEqual([]);
    expect(map({}, [report('other', 'True')])).toEqual([]);
  });

  it('When a status stays, it should keep its transition time', () => {
    const before = map({}, [{ ...report('lz', 'True'), last_report_time: time }]) ?? [];
    const after = map({}, [report('lz', 'True')], { ...resource, conditions: before });
    expect(after).toMatchObject([{ last_updated_time: later, last_transition_time: time, created_time: time }]);
  });

  it('When an expression looks at secrets, it should see only that there are some', () => {
    const [condition] =
      map(
        { when: 'true', status: 'true', reason: 'resource.spec.adminPassword', message: 'toJson(statuses[0].data)' },
        [report('lz', 'True', { pullSecret: 'x', zone: { token: 'y', id: 'z' } })],
      ) ?? [];
    expect(condition).toMatchObject({
      reason: '***REDACTED***',
      message: '{"pullSecret":"***REDACTED***","zone":{"token":"***REDACTED***","id":"z"}}',
    });
  });

  it('When dig leads nowhere, it should give null, which is the empty text', () => {
    const output = {
      when: 'dig(resource, "spec.region") == "us"',
      status: '"false"',
      reason: 'dig(resource, "a.b")',
      message: '""',
    };
    expect(map(output, [])).toMatchObject([{ status: 'False', reason: '' }]);
  });

  it('When a text is too long, it should leave the condition out or cut the message', () => {
    const long = (count: number) => JSON.stringify('x'.repeat(count));
    expect(map({ when: 'true', status: 'true', reason: long(257), message: '""' }, [])).toEqual([]);
    expect(map({ when: 'true', status: 'true', reason: '""', message: long(3000) }, [])?.[0]?.message).toHaveLength(
      2048,
    );
  });

  it.each([
    ['status', '"Maybe"', 'must be True or False'],
    ['status', 'statuses[7].adapter', 'status:'],
    ['when', '"yes"', 'gives no bool'],
    ['message', 'string(range_(1))', undefined],
  ])('When %s is %s, it should fail with the reason', (part, expression, problem) => {
    expect(() => map({ when: 'true', status: 'true', reason: '""', message: '""', [part]: expression }, [])).toThrow(
      problem,
    );
  });

  it('When an expression costs too much, it should be stopped', () => {
    const many = { items: Array.from({ length: 300 }, (_, index) => index) };
    const costly = 'statuses[0].data.items.all(a, statuses[0].data.items.all(b, a + b >= 0))';
    expect(() => map({ when: costly }, [report('lz', 'True', many)])).toThrow('cost');
  });
});
