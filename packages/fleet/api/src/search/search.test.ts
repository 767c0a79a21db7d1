import { describe, expect, it } from 'vitest';
import { Parameters, parseSearch, searchSql } from './index.ts';

function sql(text: string): { where: string; values: unknown[] } {
  const parameters = new Parameters();
  return { where: searchSql(parseSearch(text), parameters), values: parameters.values };
}

describe('parseSearch', () => {
  it('When and, or and not meet without parentheses, it should bind not before and before or', () => {
    expect(parseSearch("a='1' or not b='2' and c='3'")).toMatchObject({
      op: 'or',
      left: { field: 'a' },
      right: { op: 'and', left: { op: 'not', operand: { field: 'b' } }, right: { field: 'c' } },
    });
  });

  it('When a quote is doubled inside a string, it should stand for one', () => {
    expect(parseSearch("name='it''s'")).toMatchObject({ value: { kind: 'string', value: "it's" } });
  });

  it.each([
    ["name='x", 'is not closed'],
    ['name=', 'expected a value but found the end'],
    ["name~'x'", 'unexpected "~"'],
    ["name='x' name='y'", 'expected the end but found "name"'],
    ["(name='x'", 'expected ")"'],
    ["='x'", 'expected a field name'],
    ['name in []', 'expected a value'],
    [`${'('.repeat(40)}name='x'${')'.repeat(40)}`, 'nested more than 32'],
    [`${'not '.repeat(40)}name='x'`, 'nested more than 32'],
    [Array.from({ length: 201 }, () => 'generation>1').join(' or '), 'more than 200 comparisons'],
  ])('When the text is %s, it should say what is wrong', (text, problem) => {
    expect(() => parseSearch(text)).toThrow(problem);
    expect(() => parseSearch(text)).toThrow(/^failed to parse search query: /);
  });

  it('When the text is longer than 4096 characters, it should refuse it', () => {
    expect(() => parseSearch(`name='${'x'.repeat(5000)}'`)).toThrow('at most 4096');
  });
});

describe('searchSql', () => {
  it('When a value looks like SQL, it should only ever be a parameter', () => {
    const attack = "x'; drop table resources; --";
    const { where, values } = sql(`name='${attack.replaceAll("'", "''")}'`);
    expect(where).toBe('(r.name = $1::text)');
    expect(values).toEqual([attack]);
  });

  it.each([
    ["name in ['a','b']", '(r.name in ($1::text, $2::text))', ['a', 'b']],
    ['generation >= 2', '(r.generation >= $1::numeric)', ['2']],
    ['generation between 2 and 4', '(r.generation between $1::numeric and $2::numeric)', ['2', '4']],
    ['deleted_time is null', '(r.deleted_time is null)', []],
    ['deleted_time is not null', '(((r.deleted_time is null)) is not true)', []],
    [
      "created_time < '2026-01-01T01:00:00+01:00'",
      '(r.created_time < $1::timestamptz)',
      ['2026-01-01T00:00:00.000000Z'],
    ],
    ["name ilike 'Prod%'", '(r.name ilike $1::text)', ['Prod%']],
    [
      "labels.hyperfleet.io/shard='1'",
      '(r.id in (select l.resource_id from resource_labels l where l.key = $1 and (l.value = $2::text)))',
      ['hyperfleet.io/shard', '1'],
    ],
    [
      "spec.platform.gcp.projectID='p'",
      '((r.spec #>> $1::text[]) = $2::text)',
      [['platform', 'gcp', 'projectID'], 'p'],
    ],
    ['spec.enabled = true', '((r.spec #>> $1::text[]) = $2::text)', [['enabled'], 'true']],
    [
      "status.conditions.Reconciled='False'",
      "exists (select 1 from resource_conditions c where c.resource_id = r.id and c.type = $1 and c.status = 'False')",
      ['Reconciled'],
    ],
    [
      'status.conditions.Reconciled.observed_generation < 5',
      'exists (select 1 from resource_conditions c where c.resource_id = r.id and c.type = $2 and (c.observed_generation < $1::numeric))',
      ['5', 'Reconciled'],
    ],
  ])('When the search is %s, it should become SQL with parameters', (text, where, values) => {
    expect(sql(text)).toEqual({ where, values });
  });

  it.each([
    ["bogus='x'", 'bogus is not a valid field name'],
    ["status='x'", 'not a valid field name'],
    ["spec.a;b='x'", 'unexpected ";"'],
    ["generation='2'", 'needs a number'],
    ['name=2', 'needs a string'],
    ["created_time>'yesterday'", 'needs a time'],
    ["generation like '2'", "'like' cannot be used with generation"],
    ["not status.conditions.Reconciled='True'", "'not' cannot be used"],
    ["not (name='x' and status.conditions.Reconciled.observed_generation=1)", "'not' cannot be used"],
    ["status.conditions.Reconciled in ['True']", "only '='"],
    ["status.conditions.Reconciled!='True'", "only '='"],
    ["status.conditions.Reconciled='Maybe'", 'must be one of True, False, Unknown'],
    ["status.conditions.reconciled='True'", 'PascalCase'],
    ["status.conditions.Reconciled.reason='x'", 'can be searched by'],
    ["status.conditions.Reconciled.last_updated_time like 'x'", 'only comparisons'],
    ["spec.a in ['x', 2]", 'different kinds'],
    ["name like 'a\\\\\\'", 'ends in a backslash'],
  ])('When the search is %s, it should be refused with a reason', (text, problem) => {
    expect(() => sql(text)).toThrow(problem);
  });
});
