import type { Schema } from '@hypershift-ts/kube-apimachinery';
import type { AnyNode, Definition } from '../schema/index.ts';

function range(unit: string, min: number | undefined, max: number | undefined): string[] {
  if (min === undefined && max === undefined) return [];
  if (min === max) return [`exactly ${max} ${unit}`.trim()];
  if (max === undefined) return [`at least ${min} ${unit}`.trim()];
  if (min === undefined) return [`at most ${max} ${unit}`.trim()];
  return [`${min} to ${max} ${unit}`.trim()];
}

function limits(keywords: Schema): string[] {
  return [
    ...range('characters', keywords.minLength, keywords.maxLength),
    ...range('', keywords.minimum, keywords.maximum),
    ...range('items', keywords.minItems, keywords.maxItems),
    ...range('keys', keywords.minProperties, keywords.maxProperties),
    ...(keywords['x-kubernetes-int-or-string'] ? [] : (keywords.pattern && [`matches \`${keywords.pattern}\``]) || []),
    ...(keywords['x-kubernetes-list-map-keys']
      ? [`unique by ${keywords['x-kubernetes-list-map-keys'].join(', ')}`]
      : []),
    ...(keywords['x-kubernetes-list-type'] === 'set' ? ['no duplicates'] : []),
    ...(keywords['x-kubernetes-preserve-unknown-fields'] ? ['unknown fields are kept'] : []),
  ];
}

function choices({ choices: all }: Definition): string[] {
  if (!all) return [];
  const shown = all.map((choice) =>
    typeof choice === 'object' ? `\`${choice.value}\` (gate ${choice.gate})` : `\`${choice === '' ? '""' : choice}\``,
  );
  return [`one of ${shown.join(', ')}`];
}

function rules({ rules: all }: Definition): string[] {
  return all.map(({ rule, message }) => (rule === 'self == oldSelf' ? 'immutable' : (message ?? `\`${rule}\``)));
}

/** What is demanded of a field, as short phrases. */
export function constraintsOf({ definition }: AnyNode): readonly string[] {
  const items = definition.items?.definition;
  return [
    ...(definition.gate ? [`feature gate ${definition.gate}`] : []),
    ...(definition.default === undefined ? [] : [`default \`${JSON.stringify(definition.default)}\``]),
    ...choices(definition),
    ...limits(definition.keywords),
    ...rules(definition),
    ...(items && !items.properties
      ? [...choices(items), ...limits(items.keywords), ...rules(items)].map((text) => `each item: ${text}`)
      : []),
  ];
}

/** The type of a field as a reader calls it. */
export function typeNameOf({ definition }: AnyNode): string {
  const { keywords, items, values } = definition;
  if (items) return `[]${typeNameOf(items)}`;
  if (values) return `map of ${typeNameOf(values)}`;
  if (keywords['x-kubernetes-int-or-string']) return keywords.pattern ? 'quantity' : 'integer or string';
  if (keywords.format === 'date-time') return 'time';
  if (keywords.type === 'integer') return keywords.format ?? 'integer';
  return keywords.type ?? 'any';
}
