import { deepFreeze, formatFieldError, type Schema, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../../kinds/behaviour.ts';
import type { Verdict } from '../../resource/resource.ts';
import type { DefinitionVersion } from '../definition/types.ts';
import { aDefinition, aVersion, fields, number, text } from '../testing/definitions.ts';
import { compileCustomResource } from './compile.ts';

const logicOf = (schema: Schema, more: Partial<DefinitionVersion> = {}) =>
  compileCustomResource(aDefinition(aVersion(schema, more))).versions[0]!.logic;

const widget = (parts: object): UnstructuredObject =>
  deepFreeze({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, ...parts });

const told = (verdict: Verdict) => verdict.errors.map(formatFieldError);

describe('compileCustomResource', () => {
  it('When two servers bring equal definitions, it should compile them once', () => {
    const make = () => compileCustomResource(aDefinition(aVersion(fields({ spec: fields({ shared: text }) }))));
    expect(make().versions[0]).toBe(make().versions[0]);
  });

  it('When only the columns differ, it should still share the schema', () => {
    const schema = fields({ spec: fields({ shared: text }) });
    const columns = [{ name: 'A', type: 'string' as const, jsonPath: '.spec.a' }];
    expect(logicOf(schema, { additionalPrinterColumns: columns }).schema).toBe(logicOf(schema).schema);
  });

  it('When a version is deprecated, it should carry a warning', () => {
    const versions = [
      aVersion(fields({})),
      aVersion(fields({}), { name: 'v1beta1', storage: false, deprecated: true }),
    ];
    const compiled = compileCustomResource(aDefinition(versions));
    expect(compiled.versions.map(({ deprecationWarning }) => deprecationWarning)).toEqual([
      undefined,
      'example.com/v1beta1 Widget is deprecated',
    ]);
    expect(compiled.storageVersion).toBe('v1');
  });

  it('When a body has unknown fields, it should drop and name them, metadata included', () => {
    const draft: Draft = structuredClone({
      ...widget({ spec: { a: 'x', b: 1 }, extra: null }),
      metadata: { name: 'w', foo: 1 },
    });
    expect(logicOf(fields({ spec: fields({ a: text }) })).normalise(draft)).toEqual([
      'extra',
      'metadata.foo',
      'spec.b',
    ]);
    expect(draft).toEqual({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { a: 'x' } });
  });

  it('When metadata has a wrong type, it should refuse the body', () => {
    const draft: Draft = { metadata: { labels: { a: 1 } } };
    expect(() => logicOf(fields({})).normalise(draft)).toThrow(
      /^Widget in version "v1" cannot be handled as a Widget: metadata: Invalid value: .*cannot unmarshal number into Go struct field ObjectMeta.labels of type string/,
    );
  });
});

describe('validateCreate', () => {
  const schema = fields({
    spec: fields(
      { type: { ...text, enum: ['A', 'B'] }, name: { ...text, minLength: 2 }, n: number },
      { 'x-kubernetes-validations': [{ rule: 'self.n < 3', message: 'n must be small' }] },
    ),
  });

  it('When an error leaves values rules cannot bear, it should skip the rules and say so', () => {
    expect(told(logicOf(schema).validateCreate(widget({ spec: { type: 'C', n: 9 } })))).toEqual([
      'spec.type: Unsupported value: "C": supported values: "A", "B"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('When errors are harmless to rules, it should report both', () => {
    expect(told(logicOf(schema).validateCreate(widget({ spec: { name: 'x', n: 9 } })))).toEqual([
      'spec.name: Invalid value: "x": spec.name in body should be at least 2 chars long',
      'spec: Invalid value: n must be small',
    ]);
  });

  it('When the kind has no rules at all, it should not speak of skipped ones', () => {
    const ruleless = fields({ spec: fields({}, { required: ['a'] }) });
    expect(told(logicOf(ruleless).validateCreate(widget({ spec: {} })))).toEqual(['spec.a: Required value']);
  });

  it('When a scale path holds no count, it should refuse the object', () => {
    const scaled = logicOf(fields({ spec: fields({ replicas: number }), status: fields({ replicas: number }) }), {
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    });
    expect(scaled.scale).toEqual({ specReplicas: 'spec.replicas', statusReplicas: 'status.replicas' });
    expect(told(scaled.validateCreate(widget({ spec: { replicas: -1 } })))).toEqual([
      '.spec.replicas: Invalid value: -1: should be a non-negative integer',
    ]);
  });

  it('When a finalizer has no domain, it should warn', () => {
    const object = { ...widget({}), metadata: { name: 'w', finalizers: ['mine', 'example.com/fine'] } };
    expect(logicOf(fields({})).validateCreate(object).warnings).toEqual([
      'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });
});

describe('validateUpdate', () => {
  const list = (type: 'set' | 'atomic') => ({ type: 'array' as const, items: text, 'x-kubernetes-list-type': type });

  it('When duplicates were already stored, it should let them stay', () => {
    const logic = logicOf(fields({ spec: fields({ set: list('set'), n: number }) }));
    const before = widget({ spec: { set: ['a', 'a'] } });
    expect(told(logic.validateUpdate(widget({ spec: { set: ['a', 'a'], n: 1 } }), before))).toEqual([]);
    expect(told(logic.validateUpdate(before, widget({ spec: { set: ['a'] } })))).toEqual([
      'spec.set[1]: Duplicate value: "a"',
    ]);
  });

  it('When a set is reordered, it should count as unchanged for rules; an atomic list should not', () => {
    const frozen = (type: 'set' | 'atomic'): Schema => ({
      ...list(type),
      maxItems: 5,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
    });
    const logic = logicOf(fields({ spec: fields({ set: frozen('set'), atomic: frozen('atomic') }) }));
    const before = widget({ spec: { set: ['a', 'b'], atomic: ['a', 'b'] } });
    expect(told(logic.validateUpdate(widget({ spec: { set: ['b', 'a'], atomic: ['b', 'a'] } }), before))).toEqual([
      'spec.atomic: Invalid value: is immutable',
    ]);
  });

  it('When a rule failed before and nothing below changed, it should warn instead of refusing', () => {
    const spec = fields(
      { n: number, inner: { ...number, 'x-kubernetes-validations': [{ rule: 'self < 3', message: 'too big' }] } },
      { 'x-kubernetes-validations': [{ rule: '!has(self.n) || self.n < 3', message: 'n too big' }] },
    );
    const logic = logicOf(fields({ spec }));
    const before = widget({ spec: { n: 9, inner: 9 } });
    expect(logic.validateUpdate(widget({ spec: { n: 9, inner: 9 } }), before)).toEqual({
      errors: [],
      warnings: ['spec: Invalid value: n too big', 'spec.inner: Invalid value: 9: too big'],
    });
    const changed = logic.validateUpdate(widget({ spec: { n: 8, inner: 9 } }), before);
    expect(told(changed)).toEqual(['spec: Invalid value: n too big']);
    expect(changed.warnings).toEqual(['spec.inner: Invalid value: 9: too big']);
  });

  it('When a list item cannot be found again, its nearest unchanged ancestor should excuse it', () => {
    const item = { ...text, maxLength: 9, 'x-kubernetes-validations': [{ rule: 'self != "bad"', message: 'bad' }] };
    const logic = logicOf(fields({ spec: fields({ l: { type: 'array', maxItems: 9, items: item }, n: number }) }));
    const before = widget({ spec: { l: ['bad'] } });
    expect(logic.validateUpdate(widget({ spec: { l: ['bad'], n: 1 } }), before)).toEqual({
      errors: [],
      warnings: ['spec.l[0]: Invalid value: "bad": bad'],
    });
    expect(told(logic.validateUpdate(widget({ spec: { l: ['bad', 'good'] } }), before))).toEqual([
      'spec.l[0]: Invalid value: "bad": bad',
    ]);
  });
});

describe('validateStatus', () => {
  const logic = logicOf(
    fields(
      {
        spec: fields({ n: { ...number, maximum: 1 } }),
        status: fields({ phase: { ...text, maxLength: 3 }, n: number }, { required: ['phase'] }),
      },
      {
        'x-kubernetes-validations': [
          { rule: '!has(self.status) || !has(self.status.n) || self.status.n > 0', message: 'no' },
        ],
      },
    ),
    { subresources: { status: {} } },
  );
  it('When status is written, it should judge values of status only, and rules of the whole object', () => {
    const before = widget({ spec: { n: 9 } });
    expect(told(logic.validateStatus(widget({ spec: { n: 9 }, status: { phase: 'ok', n: 0 } }), before))).toEqual([
      '<nil>: Invalid value: no',
    ]);
    expect(told(logic.validateStatus(widget({ spec: { n: 9 }, status: {} }), before))[0]).toBe(
      'status.phase: Required value',
    );
    expect(told(logic.validateStatus(widget({ spec: { n: 9 }, status: { phase: 'long' } }), before))[0]).toBe(
      'status.phase: Too long: may not be more than 3 bytes',
    );
  });
});

describe('columns and selectable fields', () => {
  const logic = logicOf(fields({ spec: fields({ size: text }), status: fields({}) }), {
    selectableFields: [{ jsonPath: '.spec.size' }],
    additionalPrinterColumns: [
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
      { name: 'Labels', type: 'string', jsonPath: '.metadata.labels' },
      { name: 'Since', type: 'date', jsonPath: '.status.since' },
      { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  });
  const now = Date.UTC(2026, 0, 1, 0, 5);

  it('When listed as a table, it should show what the columns point at', () => {
    expect(logic.columns.map(({ name, priority }) => `${name}/${priority}`)).toEqual([
      'Name/0',
      'Ready/0',
      'Replicas/1',
      'Labels/0',
      'Since/0',
      'On/0',
      'Age/0',
    ]);
    const object = {
      ...widget({
        spec: { replicas: 3, on: true },
        status: { conditions: [{ type: 'Ready', status: 'True' }], since: 'never' },
      }),
      metadata: { name: 'w', labels: { a: 'b' }, creationTimestamp: '2026-01-01T00:00:00Z' },
    };
    expect(logic.cells(object, now)).toEqual(['w', 'True', 3, '{"a":"b"}', '<invalid>', true, '5m']);
    expect(logic.cells(widget({}), now)).toEqual(['w', null, null, null, null, null, null]);
  });

  it('When no columns are given, it should show the age', () => {
    const plain = logicOf(fields({}));
    expect(plain.columns.map(({ name }) => name)).toEqual(['Name', 'Age']);
  });

  it('When asked for a selectable field, it should give its text', () => {
    expect(logic.selectableFields['spec.size']?.(widget({ spec: { size: 'L' } }))).toBe('L');
    expect(logic.selectableFields['spec.size']?.(widget({}))).toBe('');
  });
});
