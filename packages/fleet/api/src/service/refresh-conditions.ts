import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { aggregate } from '../conditions/index.ts';
import type { Queryable } from '@hypershift-ts/fleet-database';
import { hasConditions, requiredAdapters } from '../registry/index.ts';
import { type AdapterStatus, isDeleting, type Resource, type ResourceCondition } from '../resources/index.ts';
import { replaceConditions } from '../store/index.ts';
import type { ServiceContext } from './context.ts';
import { hasChildren } from './lookup.ts';

/** Computes the conditions of a resource anew and stores them when they differ. Gives the resource as it is then. */
export async function refreshConditions(
  context: ServiceContext,
  tx: Queryable,
  resource: Resource,
  reports: readonly AdapterStatus[],
): Promise<Resource> {
  const entity = context.registry.get(resource.kind);
  if (!hasConditions(entity)) return resource;
  const required = requiredAdapters(entity);
  const deleting = isDeleting(resource);
  const computed =
    required.length === 0
      ? []
      : aggregate({
          required,
          reports,
          generation: resource.generation,
          updatedTime: resource.updated_time,
          previous: resource.conditions,
          deleting,
          activeChildren: deleting && (await hasChildren(tx, resource.id, 'active')),
        });
  const mapped = context.mappers.get(entity.kind)?.(resource, reports) ?? [];
  const conditions = [...computed, ...mapped];
  if (sameConditions(resource.conditions, conditions)) return resource;
  await replaceConditions(tx, resource.id, conditions);
  if (started(resource.conditions, conditions)) context.observer.reconciliationStarted(resource.kind, deleting);
  return { ...resource, conditions };
}

const byType = (conditions: readonly ResourceCondition[]) =>
  Object.fromEntries(conditions.map((condition) => [condition.type, condition]));

const sameConditions = (a: readonly ResourceCondition[], b: readonly ResourceCondition[]): boolean =>
  jsonEqual(byType(a), byType(b));

function started(before: readonly ResourceCondition[], after: readonly ResourceCondition[]): boolean {
  const status = (conditions: readonly ResourceCondition[]) =>
    conditions.find((condition) => condition.type === 'Reconciled')?.status;
  return status(after) === 'False' && status(before) !== 'False';
}
