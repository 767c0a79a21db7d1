import { invalid } from '../errors/index.ts';
import { type Entity, referenceOf } from '../registry/index.ts';

/** References as a request carries them, keyed by type. */
export type RequestedReferences = Readonly<Record<string, readonly { readonly id: string; readonly kind: string }[]>>;

/** A reference that is well formed; whether its target lives is for the database to say. */
export interface WantedReference {
  readonly ref_type: string;
  readonly target_id: string;
  readonly target_kind: string;
}

/** Checks types, counts, kinds and repetition of the references of a kind, and lists them. */
export function checkReferences(entity: Entity, requested: RequestedReferences): WantedReference[] {
  for (const { ref_type: type, min = 0 } of entity.references ?? []) {
    if ((requested[type]?.length ?? 0) < min)
      throw invalid(`required reference type "${type}" missing for ${entity.kind} (min ${min})`);
  }
  return Object.entries(requested).flatMap(([type, targets]) => {
    const declared = referenceOf(entity, type);
    if (!declared) throw invalid(`unknown reference type "${type}" for ${entity.kind}`);
    const { max = 0, target_kind } = declared;
    if (max > 0 && targets.length > max) {
      throw invalid(`reference type "${type}" for ${entity.kind} exceeds max count ${max} (got ${targets.length})`);
    }
    const seen = new Set<string>();
    return targets.map(({ id, kind }) => {
      if (id === '') throw invalid(`reference type "${type}": id is required`);
      if (seen.has(id)) throw invalid(`reference type "${type}": duplicate target id "${id}"`);
      seen.add(id);
      if (kind !== target_kind) {
        throw invalid(`reference type "${type}": kind "${kind}" does not match expected target kind "${target_kind}"`);
      }
      return { ref_type: type, target_id: id, target_kind };
    });
  });
}
