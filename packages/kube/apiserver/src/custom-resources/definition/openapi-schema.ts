import { type FieldError, fieldError, type Schema } from '@hypershift-ts/kube-apimachinery';
import { validateDefaultValues } from './default-values.ts';
import { CostTotal, type RuleScope, scopeInside, validateRuleForm, validateRuleMeaning } from './rules.ts';
import { type SchemaPlace, validateTopology, validateWords } from './schema-words.ts';
import { validateStructural } from './structural.ts';

/** Words that a root schema may use beside a status subresource, in the spelling the error lists them. */
const rootWords = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** Everything wrong with the schema of a version: words, structure, defaults, list and map types, rules and their cost. */
export function validateOpenAPISchema(schema: Schema, hasStatus: boolean, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus) errors.push(...validateRootWords(schema, at));
  if (schema.nullable) errors.push(fieldError.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  const form = isConvertible(schema) ? validateForm(schema, at) : undefined;
  errors.push(...(form ?? []));
  const total = new CostTotal();
  // Rules are only judged on a schema that is sound so far.
  const scope: RuleScope | undefined = form?.length === 0 ? { cardinality: 1, total, isResource: true } : undefined;
  const walk: Walk = { schema: [], rules: [] };
  visit(schema, { insideMeta: false }, true, scope, at, walk);
  return [...errors, ...walk.schema, ...walk.rules, ...total.errors(at)];
}

function validateForm(schema: Schema, at: string): FieldError[] {
  const structural = validateStructural(schema, at);
  return structural.length > 0 ? structural : validateDefaultValues(schema, at);
}

function validateRootWords(schema: Schema, at: string): FieldError[] {
  for (const [word, value] of Object.entries(schema)) {
    if (value === undefined || value === null || value === false || value === '') continue;
    if (word === 'type') {
      if (value !== 'object') {
        const detail =
          'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
        return [fieldError.invalid(`${at}.type`, value, detail)];
      }
    } else if (!rootWords.includes(goName(word))) {
      const detail = `only [${rootWords.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
      return [fieldError.invalid(at, { [word]: value }, detail)];
    }
  }
  return [];
}

function goName(word: string): string {
  const kubernetes = /^x-kubernetes-(.*)$/.exec(word);
  const camel = (text: string) => text.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  return kubernetes ? `X${camel(kubernetes[1] ?? '')}` : camel(word);
}

/** Upstream cannot even build a structural schema from these; the walk reports them in its own words. */
function isConvertible(schema: Schema): boolean {
  const written = schema as unknown as Record<string, unknown>;
  const isUsed = (word: string) => {
    const value = written[word];
    return value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  };
  if (['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'].some(isUsed)) {
    return false;
  }
  if (Array.isArray(written['items']) || schema['x-kubernetes-preserve-unknown-fields'] === false) return false;
  const inside = [
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.not ? [schema.not] : []),
  ];
  return inside.every(isConvertible);
}

interface Walk {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

const metaFields = ['metadata', 'kind', 'apiVersion'];

function visit(
  schema: Schema,
  place: SchemaPlace,
  isRoot: boolean,
  scope: RuleScope | undefined,
  at: string,
  walk: Walk,
): void {
  const before = walk.schema.length;
  walk.schema.push(...validateWords(schema, place, at));
  const enter = (child: Schema, childPlace: SchemaPlace, childAt: string) =>
    visit(child, childPlace, false, scope && scopeInside(schema, scope, child), childAt, walk);

  if (typeof schema.additionalProperties === 'object') {
    const why = 'inside additionalProperties applying to object metadata';
    enter(
      schema.additionalProperties,
      place.insideMeta ? { ...place, noDefaults: why } : place,
      `${at}.additionalProperties`,
    );
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isMeta = (isRoot || schema['x-kubernetes-embedded-resource'] === true) && metaFields.includes(name);
    const fieldPlace: SchemaPlace = isMeta
      ? { ...place, insideMeta: true, ...(isRoot ? { noDefaults: `in top-level ${name}` } : {}) }
      : place;
    enter(field, fieldPlace, `${at}.properties[${name}]`);
  }
  // Rules inside junctors are refused as not structural, so nothing below them is judged for cost.
  if (schema.not) visit(schema.not, place, false, undefined, `${at}.not`, walk);
  for (const word of ['allOf', 'oneOf', 'anyOf'] as const) {
    schema[word]?.forEach((branch, i) => visit(branch, place, false, undefined, `${at}.${word}[${i}]`, walk));
  }
  if (schema.items && !Array.isArray(schema.items)) {
    const isKnownAgain = schema['x-kubernetes-list-type'] === 'map';
    enter(schema.items, isKnownAgain ? place : { ...place, uncorrelatable: place.uncorrelatable ?? at }, `${at}.items`);
  }
  walk.schema.push(...validateTopology(schema, at));
  if ((schema['x-kubernetes-validations']?.length ?? 0) === 0) return;
  walk.schema.push(...validateRuleForm(schema, at));
  if (walk.schema.length === before && scope) {
    walk.rules.push(...validateRuleMeaning(schema, scope, place.uncorrelatable, at));
  }
}
