import { describe, expect, it } from 'vitest';
import { searchableBundles, searchableConsumers, whereOf } from './search.ts';

const where = (search: string) => whereOf(search, searchableBundles);

describe('Search', () => {
  it.each([
    ['', 'true', []],
    ["source='hf' and consumer_name='c1'", '((source = $1::text) and (consumer_name = $2::text))', ['hf', 'c1']],
    [
      `payload->'metadata'->'labels'@>'{"app":"x"}'`,
      '((payload->$1::text->$2::text) @> $3::jsonb)',
      ['metadata', 'labels', '{"app":"x"}'],
    ],
    [
      `payload->'metadata'->'labels'->>'k'in('a','b')`,
      '(payload->$1::text->$2::text->>$3::text) in ($4::text, $5::text)',
      ['metadata', 'labels', 'k', 'a', 'b'],
    ],
    [
      `payload->'metadata'->'labels'->>'k'<>null`,
      '(payload->$1::text->$2::text->>$3::text) is not null',
      ['metadata', 'labels', 'k'],
    ],
    [
      'version between 2 and 3 or not deleted_at is null',
      '((version between $1::numeric and $2::numeric) or not (deleted_at is null))',
      ['2', '3'],
    ],
    ["name ILIKE 'it''s%'", '(name ilike $1::text)', ["it's%"]],
    [
      "(name = 'a' or name = 'b') and id != 'c'",
      '(((name = $1::text) or (name = $2::text)) and (id != $3::text))',
      ['a', 'b', 'c'],
    ],
    ["created_at > '2026-03-02T09:15:28Z'", '(created_at > $1::timestamptz)', ['2026-03-02T09:15:28Z']],
  ])('When %s is searched, it should become SQL with parameters', (search, sql, parameters) => {
    expect(where(search)).toEqual({ sql, parameters });
  });

  it.each([
    ["password = 'x'", 'unknown column "password"; there are id, name'],
    ["name = 'x'; drop table resources", 'unexpected ";'],
    ["name = 'x", 'unexpected'],
    ['name =', 'expected a value at the end'],
    ['name', 'expected an operator at the end'],
    ["(name = 'x'", 'expected ")" at the end'],
    ["name = 'x' id = 'y'", 'unexpected "id" at 11'],
    ["version = 'x'", '"x" at 10 is no numeric'],
    ["created_at > 'soon'", '"soon" at 13 is no timestamptz'],
    ["payload = 'x'", 'a document can only be compared with "@>"'],
    ["name @> '{}'", '"@>" needs a document on its left'],
    ["payload->'a'@>'{'", 'is no jsonb'],
    ["constructor = 'x'", 'unknown column'],
    [`${'('.repeat(50)}name = 'x'${')'.repeat(50)}`, 'nested deeper than 20'],
  ])('When %s is searched, it should be refused with the reason', (search, message) => {
    expect(() => where(search)).toThrow(message);
  });

  it('When a search is very long, it should be refused', () => {
    expect(() => where(`name = '${'x'.repeat(5000)}'`)).toThrow('longer than 4096');
  });

  it('When consumers are searched, only their columns should be there', () => {
    expect(whereOf("name = 'c1'", searchableConsumers).sql).toBe('(name = $1::text)');
    expect(() => whereOf("source = 'x'", searchableConsumers)).toThrow('unknown column "source"');
  });
});
