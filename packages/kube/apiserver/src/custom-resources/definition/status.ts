import { type Condition, formatFieldError, formatTime, jsonEqual, type Schema } from '@hypershift-ts/kube-apimachinery';
import { validateStructural } from './structural.ts';
import type { CustomResourceDefinition, DefinitionNames, DefinitionStatus } from './types.ts';

/**
 * The status a definition should have beside the others of its server: accepted names, NamesAccepted, Established and
 * NonStructuralSchema. Returns the present status itself when nothing changes. Pure.
 */
export function nextDefinitionStatus(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  now: number,
): DefinitionStatus {
  const before = definition.status ?? {};
  const { names, conflict } = acceptNames(definition, others);
  const conditions = [...(before.conditions ?? [])];
  set(
    conditions,
    conflict
      ? { type: 'NamesAccepted', status: 'False', ...conflict }
      : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    now,
  );
  // Once established, a definition stays so, whatever becomes of names asked for later.
  if (conditions.find(({ type }) => type === 'Established')?.status !== 'True') {
    set(
      conditions,
      conflict
        ? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
        : {
            type: 'Established',
            status: 'True',
            reason: 'InitialNamesAccepted',
            message: 'the initial names have been accepted',
          },
      now,
    );
  }
  setStructural(conditions, definition, now);
  const next: DefinitionStatus = { ...before, acceptedNames: names, conditions };
  return jsonEqual(next, before) ? before : next;
}

/** Definitions whose acceptance may change when this one changes or goes. */
export function sharesGroup(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return a.spec.group === b.spec.group && a.metadata.name !== b.metadata.name;
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

function acceptNames(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): { names: DefinitionNames; conflict: Conflict | undefined } {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    if (!sharesGroup(definition, other)) continue;
    const taken = other.status?.acceptedNames;
    for (const name of [taken?.plural, taken?.singular, ...(taken?.shortNames ?? [])]) if (name) resources.add(name);
    for (const name of [taken?.kind, taken?.listKind]) if (name) kinds.add(name);
  }
  const wanted = definition.spec.names;
  const before = definition.status?.acceptedNames;
  const names: { -readonly [K in keyof DefinitionNames]: DefinitionNames[K] } = { plural: '', kind: '', ...before };
  let conflict: Conflict | undefined;
  const inUse = (name: string) => `${JSON.stringify(name)} is already in use`;

  for (const [field, taken, reason] of [
    ['plural', resources, 'PluralConflict'],
    ['singular', resources, 'SingularConflict'],
    ['shortNames', resources, 'ShortNamesConflict'],
    ['kind', kinds, 'KindConflict'],
    ['listKind', kinds, 'ListKindConflict'],
  ] as const) {
    if (field === 'shortNames') {
      const held = new Set(before?.shortNames);
      const added = (wanted.shortNames ?? []).filter((name) => taken.has(name) && !held.has(name));
      if (added.length > 0) conflict = { reason, message: aggregate(added.map(inUse)) };
      else if (wanted.shortNames) names.shortNames = wanted.shortNames;
      else delete names.shortNames;
      continue;
    }
    const name = wanted[field] ?? '';
    if (name !== before?.[field] && taken.has(name)) conflict = { reason, message: inUse(name) };
    else names[field] = name;
  }
  if (wanted.categories) names.categories = wanted.categories;
  else delete names.categories;
  return { names, conflict };
}

function aggregate(messages: readonly string[]): string {
  return messages.length === 1 ? (messages[0] as string) : `[${messages.join(', ')}]`;
}

const structural = new WeakMap<Schema, boolean>();

function isStructural(schema: Schema): boolean {
  const known = structural.get(schema) ?? validateStructural(schema, '').length === 0;
  structural.set(schema, known);
  return known;
}

/** Present only while something is wrong; a created CRD never is, an imported one may be. */
function setStructural(conditions: Condition[], definition: CustomResourceDefinition, now: number): void {
  const problems = definition.spec.preserveUnknownFields
    ? ['spec.preserveUnknownFields: Invalid value: true: must be false']
    : [];
  definition.spec.versions.forEach((version, index) => {
    const schema = version.schema?.openAPIV3Schema;
    if (!schema) return;
    if (isStructural(schema)) return;
    const at = `spec.versions[${index}].schema.openAPIV3Schema`;
    problems.push(...validateStructural(schema, at).map(formatFieldError));
  });
  const at = conditions.findIndex(({ type }) => type === 'NonStructuralSchema');
  if (problems.length > 0) {
    const message = aggregate(problems);
    set(conditions, { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message }, now);
  } else if (at >= 0) conditions.splice(at, 1);
}

/** Sets a condition, keeping its transition time while its status stays. */
function set(conditions: Condition[], condition: Condition, now: number): void {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  const kept = before?.status === condition.status ? before.lastTransitionTime : undefined;
  const next: Condition = {
    lastTransitionTime: kept ?? formatTime(now),
    message: condition.message ?? '',
    reason: condition.reason ?? '',
    status: condition.status,
    type: condition.type,
  };
  if (at < 0) conditions.push(next);
  else if (!jsonEqual(before, next)) conditions[at] = next;
}
