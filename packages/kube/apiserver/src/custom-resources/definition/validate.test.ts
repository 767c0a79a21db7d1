import { formatFieldError, type Schema } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { aDefinition, aVersion, fields, number, text } from '../testing/definitions.ts';
import type { CustomResourceDefinition, DefinitionSpec, DefinitionVersion } from './types.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate.ts';
import { definitionWarnings } from './warnings.ts';

const errorsOf = (definition: CustomResourceDefinition) => validateDefinition(definition).map(formatFieldError);
const ofSpec = (spec: Partial<DefinitionSpec>) => errorsOf(aDefinition(aVersion(fields({})), spec));
const ofVersion = (version: Partial<DefinitionVersion>, schema: Schema = fields({})) =>
  errorsOf(aDefinition(aVersion(schema, version)));
/** Errors of a schema with one field `spec`, without the path they all start with. */
const ofField = (schema: object) =>
  errorsOf(aDefinition(aVersion(fields({ spec: schema })))).map((error) =>
    error.replaceAll('spec.validation.openAPIV3Schema.properties[spec]', '~'),
  );

describe('validateDefinition', () => {
  it('When the definition is sound, it should find nothing', () => {
    expect(
      ofVersion({ subresources: { status: {} } }, fields({ spec: fields({ n: number }), status: fields({}) })),
    ).toEqual([]);
  });

  it.each<[string, Partial<DefinitionSpec>, string[]]>([
    [
      'a name that does not match',
      { group: 'other.example.com' },
      ['metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'no group',
      { group: '' },
      [
        'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
        'spec.group: Required value',
      ],
    ],
    [
      'a scope nobody knows',
      { scope: 'Galaxy' as never },
      ['spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'],
    ],
    [
      'kind and listKind alike',
      { names: { plural: 'widgets', kind: 'Widget', listKind: 'Widget' } },
      ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
    ],
    [
      'preserving unknown fields altogether',
      { preserveUnknownFields: true },
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    [
      'a webhook without a client',
      { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v2'] } } },
      [
        'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'a webhook over plain HTTP',
      {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'http://x.example' }, conversionReviewVersions: ['v1'] },
        },
      },
      [
        `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      ],
    ],
    [
      'webhook settings without the strategy',
      { conversion: { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } } },
      [
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
  ])('When it has %s, it should say so', (_, spec, expected) => {
    expect(ofSpec(spec)).toEqual(expected);
  });

  it('When a name is not a label, it should explain what a label is', () => {
    const [error] = ofSpec({ names: { plural: 'widgets', kind: 'Widget', shortNames: ['W_1'] } });
    expect(error).toMatch(/^spec\.names\.shortNames\[0\]: Invalid value: "W_1": a DNS-1035 label must consist of/);
  });

  it('When versions clash or none is stored, it should say so without printing schemas', () => {
    const versions = [aVersion(fields({}), { storage: false }), aVersion(fields({}), { storage: false })];
    const definition = { ...aDefinition(versions), status: { storedVersions: ['v1'] } };
    expect(errorsOf(definition)).toEqual([
      expect.stringMatching(/^spec\.versions: Invalid value: \[.{1,200}\]: must contain unique version names$/),
      expect.stringMatching(/must have exactly one version marked as storage version$/),
    ]);
  });

  it('When a version has no schema, it should require one', () => {
    const { schema: _, ...version } = aVersion(fields({}));
    expect(errorsOf(aDefinition(version))).toEqual(['spec.versions[0].schema.openAPIV3Schema: Required value']);
  });

  it('When versions have different schemas, it should report each at its own place', () => {
    const broken = fields({ spec: {} });
    const versions = [aVersion(fields({})), aVersion(broken, { name: 'v2', storage: false })];
    expect(errorsOf(aDefinition(versions))).toEqual([
      'spec.versions[1].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    ]);
  });

  it('When the group belongs to the Kubernetes community, it should ask for its approval', () => {
    const definition = aDefinition(aVersion(fields({})), { group: 'x.k8s.io' });
    const named = (annotations: Record<string, string>) => ({
      ...definition,
      metadata: { name: 'widgets.x.k8s.io', annotations },
    });
    expect(errorsOf(named({}))[0]).toMatch(
      /^metadata.annotations\[api-approved.kubernetes.io\]: Required value: protected/,
    );
    expect(errorsOf(named({ 'api-approved.kubernetes.io': 'unapproved, experimental' }))).toEqual([]);
    expect(errorsOf(named({ 'api-approved.kubernetes.io': 'https://example.com/pull/1' }))).toEqual([]);
    expect(errorsOf(named({ 'api-approved.kubernetes.io': 'yes' }))).toHaveLength(1);
  });

  it.each<[string, Partial<DefinitionVersion>, string[]]>([
    [
      'a deprecation text without deprecation',
      { deprecationWarning: 'x' },
      ['spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
    ],
    [
      'a column of an unknown type',
      { additionalPrinterColumns: [{ name: '', type: 'text' as never, jsonPath: 'spec.x' }] },
      [
        'spec.additionalPrinterColumns[0].name: Required value',
        'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
        'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.x": must be a simple json path starting with .',
      ],
    ],
    [
      'scale paths at the wrong place',
      {
        subresources: {
          scale: { specReplicasPath: '.status.n', statusReplicasPath: '', labelSelectorPath: '.metadata.x' },
        },
      },
      [
        'spec.subresources.scale.specReplicasPath: Invalid value: ".status.n": should be a json path under .spec',
        'spec.subresources.scale.statusReplicasPath: Required value',
        'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.x": should be a json path under either .spec or .status',
      ],
    ],
    [
      'selectable fields that are none',
      {
        selectableFields: [
          { jsonPath: '.spec.missing' },
          { jsonPath: '.spec' },
          { jsonPath: '.spec.n' },
          { jsonPath: '.spec.n' },
          { jsonPath: ".spec['n']" },
        ],
      },
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.missing": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[1].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
        'spec.selectableFields[3].jsonPath: Duplicate value: ".spec.n"',
        `spec.selectableFields[4].jsonPath: Invalid value: ".spec['n']": is an invalid path: array notation is not allowed`,
      ],
    ],
  ])('When a version has %s, it should say so', (_, version, expected) => {
    expect(ofVersion(version, fields({ spec: fields({ n: number }) }))).toEqual(expected);
  });

  it.each<[string, object, string[]]>([
    ['no type', {}, ['~.type: Required value: must not be empty for specified object fields']],
    [
      'an unknown type',
      { type: 'null' },
      [
        '~.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
        '~.type: Forbidden: type cannot be set to null, use nullable as an alternative',
      ],
    ],
    ['an array without items', { type: 'array' }, ['~.items: Required value: must be specified']],
    ['a reference', { type: 'object', $ref: '#/x' }, ['~.$ref: Forbidden: $ref is not supported']],
    [
      'uniqueItems',
      { type: 'array', items: text, uniqueItems: true },
      ['~.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'],
    ],
    [
      'fields and a map',
      { type: 'object', properties: { a: text }, additionalProperties: text },
      ['~.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      'a type inside a junctor',
      { type: 'object', properties: { a: text }, anyOf: [{ properties: { a: { type: 'string' } } }] },
      ['~.anyOf[0].properties[a].type: Forbidden: must be empty to be structural'],
    ],
    [
      'a default inside a junctor',
      { type: 'string', allOf: [{ default: 'x' }] },
      ['~.allOf[0].default: Forbidden: must be undefined to be structural'],
    ],
    [
      'the int-or-string pattern',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      [],
    ],
    [
      'a bad pattern',
      { type: 'string', pattern: '(' },
      [expect.stringMatching(/^~\.pattern: Invalid value: "\(": must be a valid regular expression, but isn't: /)],
    ],
    [
      'preserve-unknown-fields false',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      ['~.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
    ],
    [
      'a list type on no list',
      { type: 'string', 'x-kubernetes-list-type': 'set' },
      ['~.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified'],
    ],
    [
      'a map list without keys',
      { type: 'array', items: fields({ a: text }), 'x-kubernetes-list-type': 'map' },
      ['~.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map'],
    ],
    [
      'an optional list map key',
      {
        type: 'array',
        items: fields({ a: text }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
      [
        '~.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    [
      'a list map key that is no field',
      { type: 'array', items: fields({}), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
      ['~.x-kubernetes-list-map-keys: Invalid value: ["a"]: entries must all be names of item properties'],
    ],
    [
      'a set of granular objects',
      { type: 'array', items: fields({}), 'x-kubernetes-list-type': 'set' },
      [
        '~.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      'a default of the wrong type',
      { type: 'integer', default: 'x' },
      ['~.default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      'a default with unknown fields',
      { type: 'object', properties: {}, default: { a: 1 } },
      ['~.default: Invalid value: {"a":1}: must not have unknown fields'],
    ],
    [
      'an embedded resource that prunes all',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      [
        '~.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
    [
      'an empty rule',
      { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] },
      ['~.x-kubernetes-validations[0].rule: Required value: rule is not specified'],
    ],
    [
      'a rule of two lines without a message',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self ==\n"a"' }] },
      ['~.x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks'],
    ],
    [
      'a rule with an odd reason',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', reason: 'Odd' }] },
      [
        '~.x-kubernetes-validations[0].reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
    [
      'a rule with a path to nowhere',
      { type: 'object', properties: { a: text }, 'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b' }] },
      ['~.x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path'],
    ],
    [
      'oldSelf where nothing correlates',
      {
        type: 'array',
        maxItems: 3,
        items: { ...text, maxLength: 3, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
      },
      [
        '~.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ~',
      ],
    ],
    [
      'optionalOldSelf without oldSelf',
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != "a"', optionalOldSelf: true }] },
      [
        '~.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
      ],
    ],
    [
      'a default that breaks a rule',
      { type: 'string', default: 'a', 'x-kubernetes-validations': [{ rule: 'self != "a"', message: 'not a' }] },
      ['~.default: Invalid value: "a": not a'],
    ],
  ])('When a schema has %s, it should say so', (_, schema, expected) => {
    expect(ofField(schema)).toEqual(expected);
  });

  it.each<[string, object, RegExp]>([
    [
      'speaks of a field that is not there',
      { rule: 'self.missing == 1' },
      /~\.x-kubernetes-validations\[0\]\.rule: Invalid value: \{"Rule":"self\.missing == 1","Message":"",.*\}: compilation failed: ERROR: <input>:1:5: undefined field 'missing'/,
    ],
    ['is no bool', { rule: 'self.n' }, /compilation|cel expression must evaluate to a bool/],
    ['does not parse', { rule: 'self.n ==' }, /compilation failed: ERROR: <input>:1:/],
    [
      'has a message that is no string',
      { rule: 'self.n == 1', messageExpression: 'self.n' },
      /~\.x-kubernetes-validations\[0\]\.messageExpression: Invalid value: .*messageExpression must evaluate to a string/,
    ],
  ])('When a rule %s, it should refuse the definition', (_, rule, expected) => {
    const [error, ...others] = ofField(fields({ n: number }, { 'x-kubernetes-validations': [rule as never] }));
    expect(others).toEqual([]);
    expect(error).toMatch(expected);
  });

  it('When a junctor at the root speaks of a field that is not there, it should require the field', () => {
    const schema = fields({}, { oneOf: [{ properties: { a: { minLength: 1 } } }] });
    expect(errorsOf(aDefinition(aVersion(schema)))).toEqual([
      'spec.validation.openAPIV3Schema.properties[a]: Required value: because it is defined in spec.validation.openAPIV3Schema.oneOf[0].properties[a]',
    ]);
  });

  it('When a rule could cost too much, it should refuse it and say what would help', () => {
    const rule = { rule: 'self.all(x, self.all(y, x == y))' };
    const help =
      '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
    expect(ofField({ type: 'array', items: text, 'x-kubernetes-validations': [rule] })).toEqual([
      `~.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${help}`,
      '~.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      `spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${help}`,
    ]);
    const bounded = {
      type: 'array',
      maxItems: 10,
      items: { ...text, maxLength: 20 },
      'x-kubernetes-validations': [rule],
    };
    expect(ofField(bounded)).toEqual([]);
  });

  it('When a cheap rule stands on an item, it should count every item the list may hold', () => {
    const item = fields(
      { n: { ...text, maxLength: 200 } },
      { 'x-kubernetes-validations': [{ rule: "self.n.matches('^a(b|c)*d+e?f{2,3}gggggggggggggggggggggggggg$')" }] },
    );
    expect(ofField({ type: 'array', maxItems: 1000, items: item })).toEqual([]);
    expect(ofField({ type: 'array', maxItems: 20_000, items: item })[0]).toMatch(
      /^~\.items\.x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of \d\.\dx/,
    );
  });

  it('When a list map key is called like something every object has, it should still miss the field', () => {
    const list = {
      type: 'array',
      items: fields({}),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['constructor'],
    };
    expect(ofField(list)).toEqual([
      '~.x-kubernetes-list-map-keys: Invalid value: ["constructor"]: entries must all be names of item properties',
    ]);
  });

  it('When metadata is described beyond its names, it should refuse that', () => {
    const schema = fields({ metadata: fields({ name: text, labels: fields({}) }), kind: number });
    expect(errorsOf(aDefinition(aVersion(schema)))).toEqual([
      'spec.validation.openAPIV3Schema.properties[kind].type: Invalid value: "integer": must be string',
      'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ]);
  });

  it('When a root schema says more than status allows, it should refuse it', () => {
    const [error] = ofVersion({ subresources: { status: {} } }, fields({}, { oneOf: [{ required: ['spec'] }] }));
    expect(error).toMatch(
      /^spec\.validation\.openAPIV3Schema: Invalid value: .*: only \[Description Type .*\] fields are allowed at the root/,
    );
  });
});

describe('validateDefinitionUpdate', () => {
  const established = (definition: CustomResourceDefinition): CustomResourceDefinition => ({
    ...definition,
    status: { ...definition.status, conditions: [{ type: 'Established', status: 'True' }] },
  });
  const errors = (next: CustomResourceDefinition, old: CustomResourceDefinition) =>
    validateDefinitionUpdate(next, old).map(formatFieldError);
  const old = aDefinition(aVersion(fields({})));

  it('When the kind changes, it should allow that only before the definition is established', () => {
    const next = aDefinition(aVersion(fields({})), { names: { plural: 'widgets', kind: 'Gadget' } });
    expect(errors(next, old)).toEqual([]);
    expect(errors(next, established(old))).toEqual(['spec.names.kind: Invalid value: "Gadget": field is immutable']);
  });

  it('When a version still stored is removed, it should refuse that', () => {
    const next = { ...aDefinition(aVersion(fields({}), { name: 'v2' })), status: { storedVersions: ['v1', 'v2'] } };
    expect(errors(next, old)).toEqual([
      expect.stringMatching(/^status\.storedVersions\[0\]: Invalid value: "v1": missing from spec\.versions;/),
    ]);
  });
});

describe('definitionWarnings', () => {
  it('When a format has no effect, it should warn, but not again on update', () => {
    const odd = aDefinition(aVersion(fields({ a: { ...text, format: 'odd' }, b: { ...number, format: 'int32' } })));
    expect(definitionWarnings(odd)).toEqual(['unrecognized format "odd"']);
    expect(definitionWarnings(odd, odd)).toEqual([]);
  });
});
