import { describe, expect, it } from 'vitest';
import { checkFields, fieldList, listParams, orderSql, parseOrder, project } from './index.ts';

const params = (query: string) => listParams(new URLSearchParams(query));

describe('listParams', () => {
  it('When nothing is asked, it should give the first twenty, newest first', () => {
    expect(params('')).toMatchObject({ page: 1, size: 20 });
    expect(orderSql(params('').order)).toBe('r.created_time desc, r.id desc');
  });

  it.each([
    ['page=0', 'page', 'page must be at least 1'],
    ['page=100001', 'page', 'page must be at most 100000'],
    ['size=101', 'size', 'size must be at most 100'],
    ['size=ten', 'size', 'must be a valid integer'],
    ['ref_type=x', 'ref_target_id', 'ref_type and ref_target_id must be provided together'],
    [`search=${'x'.repeat(4097)}`, 'search', 'search must be at most 4096 characters'],
  ])('When the query is %s, it should name %s', (query, field, message) => {
    let problem: unknown;
    try {
      params(query);
    } catch (error) {
      problem = error;
    }
    expect(problem).toMatchObject({ message: 'Invalid query parameters', fields: [{ field, message }] });
  });
});

describe('parseOrder', () => {
  it.each(['name; drop table x', 'name up', 'NAME', 'nothing', 'spec.x'])(
    'When the order is %s, it should be refused',
    (order) => {
      expect(() => parseOrder([order])).toThrow();
    },
  );

  it('When several fields are named, it should order by all of them', () => {
    expect(orderSql(parseOrder(['name asc,created_time desc']))).toBe('r.name asc, r.created_time desc, r.id desc');
  });
});

describe('project', () => {
  const resource = {
    id: '1',
    name: 'a',
    spec: { region: 'x', nested: { a: 1, b: 2 } },
    status: { conditions: [{ type: 'A', status: 'True' }] },
  };

  it('When nested fields are named, it should show them and the id, and nothing else', () => {
    const fields = fieldList(new URLSearchParams('fields=spec.nested.a,status.conditions.type')) ?? [];
    expect(project(resource, fields)).toEqual({
      id: '1',
      spec: { nested: { a: 1 } },
      status: { conditions: [{ type: 'A' }] },
    });
    expect(project(resource, ['id', 'spec.*'])).toEqual({ id: '1', spec: resource.spec });
  });

  it('When a field does not exist, it should be refused by name', () => {
    expect(() => checkFields(['id', 'bogus', 'status.bogus', 'name.x'])).toThrow('bogus, status.bogus, name.x');
    expect(() => checkFields(['owner_references.id', 'status.*', 'spec.any.thing'])).not.toThrow();
  });
});
