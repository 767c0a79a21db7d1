import { deepFreeze, formatFieldError, type Schema, type ValidationRule } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { fields, number, text } from '../testing/definitions.ts';
import { validateRules } from './validate-rules.ts';

const ruled = (schema: Schema, ...rules: ValidationRule[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const run = (schema: Schema, value: unknown, old?: unknown, budget?: number) =>
  validateRules({ value, old, schema, isResource: true, ...(budget === undefined ? {} : { budget }) });
const told = (...args: Parameters<typeof run>) => run(...args).errors.map(formatFieldError);
const spec = (schema: Schema) => fields({ spec: schema });

describe('validateRules', () => {
  it('When a rule fails without a message, it should show the rule', () => {
    expect(told(spec(fields({ n: ruled(number, { rule: ' self > 3 ' }) })), { spec: { n: 1 } })).toEqual([
      'spec.n: Invalid value: 1: failed rule: self > 3',
    ]);
  });

  it.each<[ValidationRule['reason'] & string, string]>([
    ['FieldValueInvalid', 'spec.n: Invalid value: no'],
    ['FieldValueForbidden', 'spec.n: Forbidden: no'],
    ['FieldValueRequired', 'spec.n: Required value: no'],
    ['FieldValueDuplicate', 'spec.n: Duplicate value'],
  ])('When a rule gives the reason %s and a path, it should report that error there', (reason, expected) => {
    const schema = spec(ruled(fields({ n: number }), { rule: 'self.n > 3', message: 'no', reason, fieldPath: '.n' }));
    expect(told(schema, { spec: { n: 1 } })).toEqual([expected]);
  });

  it('When a message is an expression, it should use its value, or the static message when it fails', () => {
    const schema = (messageExpression: string) =>
      spec(
        ruled(fields({ n: number, l: { type: 'array', items: number, maxItems: 3 } }), {
          rule: 'self.n > 3',
          message: 'static',
          messageExpression,
        }),
      );
    expect(told(schema('"n is " + string(self.n)'), { spec: { n: 1 } })).toEqual(['spec: Invalid value: n is 1']);
    expect(told(schema('string(self.l[0])'), { spec: { n: 1, l: [] } })).toEqual(['spec: Invalid value: static']);
    expect(told(schema('"a\\nb"'), { spec: { n: 1 } })).toEqual(['spec: Invalid value: static']);
    expect(told(schema('"  "'), { spec: { n: 1 } })).toEqual(['spec: Invalid value: static']);
  });

  it('When evaluation fails, it should say why and which rule', () => {
    const schema = spec(ruled(fields({ n: number, m: number }), { rule: 'self.n / self.m > 0', message: 'ratio' }));
    expect(told(schema, { spec: { n: 1, m: 0 } })).toEqual([
      'spec: Invalid value: "object": division by zero evaluating rule: ratio',
    ]);
    expect(told(schema, { spec: { n: 1 } })).toEqual([
      'spec: Invalid value: "object": no such key: m evaluating rule: ratio',
    ]);
  });

  it('When a part that is stored was found faultless before, it should not be judged again', () => {
    const schema = spec(ruled(fields({ n: number }), { rule: 'self.n > 3' }));
    const good = deepFreeze({ n: 5 });
    expect(run(schema, { spec: good }, undefined, 100).remaining).toBeLessThan(100);
    expect(run(schema, { spec: good }, { spec: good }, 100).remaining).toBe(100);
    const bad = deepFreeze({ n: 1 });
    for (const old of [undefined, { spec: bad }]) expect(told(schema, { spec: bad }, old)).toHaveLength(1);
    const narrower = spec(ruled(fields({ n: number }), { rule: 'self.n > 7' }));
    expect(told(narrower, { spec: good })).toHaveLength(1);
  });

  it('When a rule looks at the old value, it should be asked each time', () => {
    const schema = spec(ruled(fields({ n: number }), { rule: 'self.n > oldSelf.n' }));
    const same = deepFreeze({ n: 5 });
    expect(told(schema, { spec: same }, { spec: { n: 4 } })).toEqual([]);
    expect(told(schema, { spec: same }, { spec: same })).toHaveLength(1);
  });

  it('When there is no old value, it should leave transition rules out', () => {
    const schema = spec(fields({ n: ruled(number, { rule: 'self == oldSelf', message: 'fixed' }) }));
    expect(told(schema, { spec: { n: 1 } })).toEqual([]);
    expect(told(schema, { spec: { n: 1 } }, { spec: {} })).toEqual([]);
    expect(told(schema, { spec: { n: 1 } }, { spec: { n: 2 } })).toEqual(['spec.n: Invalid value: 1: fixed']);
  });

  it('When a rule takes oldSelf as an optional, it should run without an old value too', () => {
    const schema = spec(
      fields({
        n: ruled(number, {
          rule: 'oldSelf.hasValue() ? self == oldSelf.value() : self == 0',
          message: 'starts at 0',
          optionalOldSelf: true,
        }),
      }),
    );
    expect(told(schema, { spec: { n: 1 } })).toEqual(['spec.n: Invalid value: 1: starts at 0']);
    expect(told(schema, { spec: { n: 0 } })).toEqual([]);
    expect(told(schema, { spec: { n: 5 } }, { spec: { n: 5 } })).toEqual([]);
  });

  it('When items belong to a list-type map, it should find their old selves by key', () => {
    const item = ruled(fields({ name: text, n: number }), { rule: 'self.n >= oldSelf.n', message: 'never down' });
    const list: Schema = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const old = {
      spec: {
        l: [
          { name: 'a', n: 5 },
          { name: 'b', n: 1 },
        ],
      },
    };
    expect(
      told(
        spec(fields({ l: list })),
        {
          spec: {
            l: [
              { name: 'b', n: 2 },
              { name: 'a', n: 4 },
              { name: 'c', n: 0 },
            ],
          },
        },
        old,
      ),
    ).toEqual(['spec.l[1]: Invalid value: never down']);
  });

  it('When a value sits in a map, it should write its key in brackets', () => {
    const values = ruled(text, { rule: 'self != "x"', message: 'no x' });
    expect(
      told(spec(fields({ m: { type: 'object', additionalProperties: values } })), { spec: { m: { 'a/b': 'x' } } }),
    ).toEqual(['spec.m[a/b]: Invalid value: "x": no x']);
  });

  it('When rules see the root, it should show them kind and metadata.name', () => {
    const schema = ruled(fields({}), {
      rule: 'self.kind == "Widget" && self.metadata.name.startsWith("w")',
      message: 'name',
    });
    expect(told(schema, { kind: 'Widget', metadata: { name: 'w1' } })).toEqual([]);
    expect(told(schema, { kind: 'Widget', metadata: { name: 'x' } })).toEqual(['<nil>: Invalid value: name']);
  });

  it('When the value is null, it should run no rules on it', () => {
    expect(
      told(spec(fields({ n: ruled({ ...number, nullable: true }, { rule: 'self > 3' }) })), { spec: { n: null } }),
    ).toEqual([]);
  });

  it('When the budget runs out, it should stop with one error', () => {
    const item = ruled(fields({ n: number }), { rule: 'self.n >= 0 && self.n < 10 && self.n != 5' });
    const schema = spec(fields({ l: { type: 'array', items: item } }));
    const verdict = run(schema, { spec: { l: Array.from({ length: 100 }, () => ({ n: 1 })) } }, undefined, 200);
    expect(verdict.remaining).toBe(-1);
    expect(verdict.errors.map(formatFieldError)).toEqual([
      expect.stringMatching(
        /^spec\.l\[\d+\]: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run$/,
      ),
    ]);
  });

  it('When one evaluation costs too much, it should stop everything', () => {
    const list: Schema = { type: 'array', items: number };
    const rule = { rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))', message: 'cubic' };
    const verdict = run(spec(fields({ l: ruled(list, rule), z: ruled(number, { rule: 'false' }) })), {
      spec: { l: Array.from({ length: 200 }, (_, i) => i), z: 1 },
    });
    expect(verdict.errors.map(formatFieldError)).toEqual([
      `spec.l: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: cubic`,
    ]);
  });
});
