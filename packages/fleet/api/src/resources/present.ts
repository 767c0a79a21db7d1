import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { wireTime } from '../instant.ts';
import type { Entity } from '../registry/index.ts';
import type { AdapterCondition, AdapterStatus, Owner, Reference, Resource, ResourceCondition } from './model.ts';

export const apiPrefix = '/api/hyperfleet/v1';

/** The address of a resource; a child's continues its owner's. */
export function hrefOf(entity: Entity, id: string, owner?: Owner): string {
  return `${owner ? owner.href : apiPrefix}/${entity.plural}/${id}`;
}

function presentCondition(condition: ResourceCondition): JsonObject {
  return {
    type: condition.type,
    status: condition.status,
    reason: condition.reason,
    message: condition.message,
    observed_generation: condition.observed_generation,
    created_time: wireTime(condition.created_time),
    last_updated_time: wireTime(condition.last_updated_time),
    last_transition_time: wireTime(condition.last_transition_time),
  };
}

function presentReferences(references: readonly Reference[]): JsonObject {
  const byType: Record<string, JsonObject[]> = {};
  for (const { ref_type, id, kind, href } of references) {
    byType[ref_type] ??= [];
    byType[ref_type].push({ id, kind, href });
  }
  return byType;
}

/** A resource as clients see it. */
export function presentResource(resource: Resource): JsonObject {
  const { labels, tenancy, owner, references } = resource;
  return {
    id: resource.id,
    kind: resource.kind,
    name: resource.name,
    href: resource.href,
    spec: resource.spec,
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(Object.keys(tenancy).length > 0 ? { tenancy } : {}),
    generation: resource.generation,
    ...(owner ? { owner_references: { id: owner.id, kind: owner.kind, href: owner.href } } : {}),
    ...(references.length > 0 ? { references: presentReferences(references) } : {}),
    created_time: wireTime(resource.created_time),
    updated_time: wireTime(resource.updated_time),
    created_by: resource.created_by,
    updated_by: resource.updated_by,
    ...(resource.deleted_time === undefined ? {} : { deleted_time: wireTime(resource.deleted_time) }),
    ...(resource.deleted_by === undefined ? {} : { deleted_by: resource.deleted_by }),
    status: { conditions: resource.conditions.map(presentCondition) },
  };
}

function presentReported({ type, status, reason, message, last_transition_time }: AdapterCondition): JsonObject {
  return {
    type,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
    last_transition_time: wireTime(last_transition_time),
  };
}

/** A report as clients see it. */
export function presentStatus(status: AdapterStatus): JsonObject {
  return {
    adapter: status.adapter,
    observed_generation: status.observed_generation,
    conditions: status.conditions.map(presentReported),
    ...(status.metadata ? { metadata: status.metadata } : {}),
    ...(status.data ? { data: status.data } : {}),
    created_time: wireTime(status.created_time),
    last_report_time: wireTime(status.last_report_time),
  };
}

/** One page of anything. */
export function presentList(items: readonly JsonObject[], page: number, total: number): JsonObject {
  return { items, page, size: items.length, total };
}
