import type { Entity, Registry } from '../registry/index.ts';
import { apiPrefix } from '../resources/index.ts';

/** A document anybody may read. */
export interface PageRoute {
  readonly to: 'metadata' | 'openapi' | 'openapi-page';
}

export interface CollectionRoute {
  readonly to: 'collection';
  /** Undefined on `/resources`, where any kind is meant. */
  readonly entity?: Entity;
  readonly parentId?: string;
  /** Under the first API's prefix. */
  readonly spike: boolean;
}

export interface ItemRoute {
  readonly to: 'item' | 'force-delete' | 'statuses';
  readonly entity?: Entity;
  readonly parentId?: string;
  readonly id: string;
  readonly spike: boolean;
}

/** What a path is about. */
export type Route = PageRoute | CollectionRoute | ItemRoute;

export function isPage(route: Route): route is PageRoute {
  return route.to === 'metadata' || route.to === 'openapi' || route.to === 'openapi-page';
}

/** The first API's prefix; the same routes with its extra members. */
const spikePrefix = '/api/v1';
const metadataPath = '/api/hyperfleet';

/** Finds the route of a path, or undefined. A trailing slash does not matter. */
export function routeOf(registry: Registry, rawPath: string): Route | undefined {
  const path = rawPath.length > 1 ? rawPath.replace(/\/+$/, '') : rawPath;
  if (path === metadataPath) return { to: 'metadata' };
  for (const prefix of [apiPrefix, spikePrefix]) {
    if (!path.startsWith(`${prefix}/`)) continue;
    const segments = decoded(path.slice(prefix.length + 1).split('/'));
    return segments && routeBelow(registry, segments, prefix === spikePrefix);
  }
  return undefined;
}

function decoded(segments: readonly string[]): string[] | undefined {
  try {
    const plain = segments.map(decodeURIComponent);
    return plain.every((segment) => segment !== '' && !segment.includes('\0')) ? plain : undefined;
  } catch {
    return undefined;
  }
}

function routeBelow(registry: Registry, segments: readonly string[], spike: boolean): Route | undefined {
  const [first = '', ...rest] = segments;
  if (rest.length === 0 && first === 'openapi') return { to: 'openapi' };
  if (rest.length === 0 && first === 'openapi.html') return { to: 'openapi-page' };
  if (first === 'resources') return ending(rest, { spike });
  return entityRoute(registry, registry.byPlural(first), rest, { spike });
}

interface Scope {
  readonly entity?: Entity;
  readonly parentId?: string;
  readonly spike: boolean;
}

/** Walks down `clusters/{id}/nodepools/{id}`; only the last owner is checked, since it implies the ones above. */
function entityRoute(
  registry: Registry,
  entity: Entity | undefined,
  segments: readonly string[],
  scope: Scope,
): Route | undefined {
  if (!entity) return undefined;
  const [id, next, ...rest] = segments;
  const child = next === undefined ? undefined : registry.byPlural(next);
  if (id !== undefined && child?.parent_kind === entity.kind)
    return entityRoute(registry, child, rest, { ...scope, parentId: id });
  return ending(segments, { ...scope, entity });
}

function ending([id, action, ...rest]: readonly string[], scope: Scope): Route | undefined {
  if (rest.length > 0) return undefined;
  if (id === undefined) return { to: 'collection', ...scope };
  if (action === undefined) return { to: 'item', ...scope, id };
  return action === 'force-delete' || action === 'statuses' ? { to: action, ...scope, id } : undefined;
}

/** Methods a route takes. The first API posted reports. */
export function methodsOf(route: Route): readonly string[] {
  switch (route.to) {
    case 'collection':
      return ['GET', 'POST'];
    case 'item':
      return ['GET', 'PATCH', 'DELETE'];
    case 'force-delete':
      return ['POST'];
    case 'statuses':
      return route.spike ? ['GET', 'PUT', 'POST'] : ['GET', 'PUT'];
    default:
      return ['GET'];
  }
}

const pagePaths: Readonly<Record<PageRoute['to'], string>> = {
  metadata: metadataPath,
  openapi: `${apiPrefix}/openapi`,
  'openapi-page': `${apiPrefix}/openapi.html`,
};

/** The path with ids replaced, so that there is a bounded number of series. */
export function metricPath(registry: Registry, route: Route | undefined): string {
  if (!route) return '/-';
  if (isPage(route)) return pagePaths[route.to];
  const { entity, parentId, spike } = route;
  const parent = entity && parentId !== undefined ? registry.parentOf(entity) : undefined;
  const owner = parent ? `/${parent.plural}/-` : '';
  const collection = `${spike ? spikePrefix : apiPrefix}${owner}/${entity?.plural ?? 'resources'}`;
  if (route.to === 'collection') return collection;
  return route.to === 'item' ? `${collection}/-` : `${collection}/-/${route.to}`;
}
