import type { Queryable } from '@hypershift-ts/fleet-database';
import { invalid } from '../errors/index.ts';
import type { Entity } from '../registry/index.ts';
import { checkReferences, isDeleting, type RequestedReferences, type WantedReference } from '../resources/index.ts';
import { Parameters } from '../search/index.ts';
import { selectResources } from '../store/index.ts';
import type { Caller } from './context.ts';
import { visibleSql } from './lookup.ts';

/** Checks requested references and that their targets live; the targets cannot go before the transaction ends. */
export async function resolveReferences(
  tx: Queryable,
  caller: Caller,
  entity: Entity,
  requested: RequestedReferences,
): Promise<WantedReference[]> {
  const wanted = checkReferences(entity, requested);
  if (wanted.length === 0) return wanted;
  const parameters = new Parameters();
  const ids = parameters.add(wanted.map((reference) => reference.target_id));
  const where = `r.id = any (${ids}::text[]) and ${visibleSql(caller, parameters)}`;
  const targets = new Map(
    (await selectResources(tx, { where, parameters, lock: 'share' })).map((target) => [target.id, target]),
  );
  for (const { ref_type, target_id, target_kind } of wanted) {
    const target = targets.get(target_id);
    if (target?.kind !== target_kind)
      throw invalid(`reference type "${ref_type}": target ${target_kind} "${target_id}" not found`);
    if (isDeleting(target))
      throw invalid(`reference type "${ref_type}": target ${target_kind} "${target_id}" is marked for deletion`);
  }
  return wanted;
}
