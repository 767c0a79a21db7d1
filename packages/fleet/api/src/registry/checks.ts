import type { Entity } from './entity.ts';

const kindForm = /^[A-Z][A-Za-z0-9]{0,99}$/;
const pluralForm = /^[a-z][a-z0-9-]{0,99}$/;
// Routes beside the plurals, and the two that follow an id.
const reservedPlurals = new Set(['resources', 'openapi', 'statuses', 'force-delete']);
const reservedConditions = ['Reconciled', 'LastKnownReconciled'];
const maxConditionType = 100;

/** `my-adapter` reports as `MyAdapterSuccessful`. */
export function adapterConditionType(adapter: string): string {
  const words = adapter.split('-').filter((word) => word !== '');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Successful`;
}

/** Everything that makes a list of kinds unusable, each as a sentence naming the kind. Empty when all is well. */
export function entityProblems(entities: readonly Entity[]): string[] {
  return [
    ...nameProblems(entities),
    ...entities.flatMap((entity) => [
      ...parentProblems(entity, entities),
      ...referenceProblems(entity, entities),
      ...nameLimitProblems(entity),
      ...conditionProblems(entity, entities),
    ]),
    ...cycleProblems(entities),
  ];
}

function nameProblems(entities: readonly Entity[]): string[] {
  const problems: string[] = [];
  const kinds = new Set<string>();
  const plurals = new Set<string>();
  for (const { kind, plural } of entities) {
    if (!kindForm.test(kind)) problems.push(`entity kind ${JSON.stringify(kind)} is not a PascalCase name`);
    if (!pluralForm.test(plural))
      problems.push(`entity ${kind}: plural ${JSON.stringify(plural)} is not a URL segment`);
    if (reservedPlurals.has(plural)) problems.push(`entity ${kind}: plural "${plural}" is reserved`);
    if (kinds.has(kind)) problems.push(`entity kind ${kind} is declared twice`);
    if (plurals.has(plural)) problems.push(`entity ${kind}: plural "${plural}" is used by another kind`);
    kinds.add(kind);
    plurals.add(plural);
  }
  return problems;
}

function parentProblems(entity: Entity, entities: readonly Entity[]): string[] {
  const { kind, parent_kind: parent, on_parent_delete: policy } = entity;
  if (parent === undefined) {
    return policy === undefined ? [] : [`entity ${kind}: on_parent_delete needs a parent_kind`];
  }
  const problems: string[] = [];
  if (!entities.some((other) => other.kind === parent)) problems.push(`entity ${kind}: unknown parent_kind ${parent}`);
  if (policy !== 'restrict' && policy !== 'cascade')
    problems.push(`entity ${kind}: on_parent_delete must be restrict or cascade`);
  return problems;
}

function referenceProblems({ kind, references = [] }: Entity, entities: readonly Entity[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { ref_type: type, target_kind: target, min = 0, max = 0 } of references) {
    if (type === '') problems.push(`entity ${kind}: a reference has no ref_type`);
    if (seen.has(type)) problems.push(`entity ${kind}: reference type ${type} is declared twice`);
    seen.add(type);
    if (!entities.some((other) => other.kind === target))
      problems.push(`entity ${kind}: reference ${type} has the unknown target_kind ${target}`);
    if (min < 0 || max < 0) problems.push(`entity ${kind}: reference ${type} has a negative min or max`);
    if (max !== 0 && max < min) problems.push(`entity ${kind}: reference ${type} has max ${max} below min ${min}`);
  }
  return problems;
}

function nameLimitProblems({ kind, name_min_len: min = 0, name_max_len: max = 0 }: Entity): string[] {
  if (min < 0 || max < 0) return [`entity ${kind}: name_min_len and name_max_len must not be negative`];
  if (max > 100) return [`entity ${kind}: name_max_len ${max} exceeds the 100 characters the database keeps`];
  return max !== 0 && max < min ? [`entity ${kind}: name_max_len ${max} is below name_min_len ${min}`] : [];
}

function conditionProblems({ kind, conditions = [] }: Entity, entities: readonly Entity[]): string[] {
  const reserved = new Set(reservedConditions);
  for (const other of entities)
    for (const adapter of other.required_adapters ?? []) reserved.add(adapterConditionType(adapter));
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { type } of conditions) {
    if (type === '') problems.push(`entity ${kind}: a mapped condition has no type`);
    if (type.length > maxConditionType)
      problems.push(`entity ${kind}: condition type ${type} is longer than ${maxConditionType} characters`);
    if (reserved.has(type)) problems.push(`entity ${kind}: condition type ${type} is reserved`);
    if (seen.has(type)) problems.push(`entity ${kind}: condition type ${type} is mapped twice`);
    seen.add(type);
  }
  return problems;
}

function cycleProblems(entities: readonly Entity[]): string[] {
  const parents = (kind: string) => entities.filter((one) => one.kind === kind).flatMap((one) => one.parent_kind ?? []);
  // A required reference means the target must exist first; in a circle nothing could ever be created.
  const required = (kind: string) =>
    entities
      .filter((one) => one.kind === kind)
      .flatMap((one) => (one.references ?? []).filter(({ min = 0 }) => min > 0).map((one) => one.target_kind));
  const problems: string[] = [];
  for (const { kind } of entities) {
    if (reaches(kind, parents)) problems.push(`entity ${kind}: owns itself through parent_kind`);
    if (reaches(kind, required)) problems.push(`entity ${kind}: requires itself through its references`);
  }
  return problems;
}

/** Whether following the edges from a kind leads back to it. */
function reaches(start: string, next: (kind: string) => readonly string[]): boolean {
  const visited = new Set<string>();
  const open = [...next(start)];
  for (let kind = open.pop(); kind !== undefined; kind = open.pop()) {
    if (kind === start) return true;
    if (visited.has(kind)) continue;
    visited.add(kind);
    open.push(...next(kind));
  }
  return false;
}
