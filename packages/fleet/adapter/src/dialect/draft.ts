import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import type { Origins } from '@hypershift-ts/fleet-settings';

/** A map that is still being rewritten. */
export type Draft = { [key: string]: JsonValue | undefined };

/** Rewrites parts of a configuration while remembering where they came from and whether anything was old. */
export class Rewriter {
  /** Whether an older form was met, so that conveniences of older configurations apply. */
  older = false;
  private readonly origins: Origins;

  constructor(origins: Origins) {
    this.origins = origins;
  }

  /** A changed copy of a map. */
  edit(object: JsonObject, change: (draft: Draft, rename: (from: string, to: string) => void) => void): JsonObject {
    const draft: Draft = { ...object };
    const spelled = new Map<string, string>();
    change(draft, (from, to) => {
      if (draft[from] === undefined) return;
      // Both spellings at once: the canonical one wins and the other is reported as unknown.
      if (draft[to] !== undefined) return;
      draft[to] = draft[from];
      delete draft[from];
      spelled.set(to, from);
      this.older = true;
    });
    return this.origins.carry(draft as JsonObject, object, spelled);
  }

  /** A changed copy of a list. */
  editEach(list: readonly JsonValue[], change: (item: JsonValue, index: number) => JsonValue): readonly JsonValue[] {
    return this.origins.carry(list.map(change), list);
  }

  /** A new part made from an old one. */
  made<T extends object>(next: T, previous: object): T {
    this.older = true;
    return this.origins.carry(next, previous);
  }
}
