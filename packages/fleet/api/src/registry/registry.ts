import { ApiError, invalid } from '../errors/index.ts';
import { entityProblems } from './checks.ts';
import type { Entity, EntityReference } from './entity.ts';

/** The kinds this server knows, checked once at start. */
export interface Registry {
  readonly entities: readonly Entity[];
  /** The kind, or undefined. */
  find(kind: string): Entity | undefined;
  /** The kind, or a 400 problem naming it. */
  get(kind: string): Entity;
  byPlural(plural: string): Entity | undefined;
  childrenOf(kind: string): readonly Entity[];
  parentOf(entity: Entity): Entity | undefined;
}

/** Thrown at start when the configured kinds cannot work; lists every reason. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}

export function createRegistry(entities: readonly Entity[]): Registry {
  const problems = entityProblems(entities);
  if (problems.length > 0) throw new RegistryError(`the configured entities cannot be served: ${problems.join('; ')}`);
  const byKind = new Map(entities.map((entity) => [entity.kind, entity]));
  const byPlural = new Map(entities.map((entity) => [entity.plural, entity]));
  return {
    entities,
    find: (kind) => byKind.get(kind),
    get(kind) {
      const entity = byKind.get(kind);
      if (!entity) throw invalid(`Unknown entity kind: ${kind}`);
      return entity;
    },
    byPlural: (plural) => byPlural.get(plural),
    childrenOf: (kind) => entities.filter((entity) => entity.parent_kind === kind),
    parentOf: (entity) => (entity.parent_kind === undefined ? undefined : byKind.get(entity.parent_kind)),
  };
}

export const requiredAdapters = (entity: Entity): readonly string[] => entity.required_adapters ?? [];

/** Entities nobody reconciles and nobody maps conditions for are only stored: they have no conditions. */
export const hasConditions = (entity: Entity): boolean =>
  requiredAdapters(entity).length > 0 || (entity.conditions ?? []).length > 0;

export function referenceOf(entity: Entity, type: string): EntityReference | undefined {
  return entity.references?.find((reference) => reference.ref_type === type);
}

/** The answer to a child posted anywhere but under its parent. */
export function childElsewhere(entity: Entity, parent: Entity): ApiError {
  return new ApiError(
    'VAL-000',
    `kind "${entity.kind}" is a child kind; create it via /${parent.plural}/{id}/${entity.plural}`,
    { status: 422 },
  );
}
