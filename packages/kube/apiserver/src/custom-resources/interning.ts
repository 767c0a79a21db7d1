import { createHash } from 'node:crypto';
import { deepFreeze, jsonClone, type Schema } from '@hypershift-ts/kube-apimachinery';

/**
 * One frozen copy of each distinct value, found again by its content. Whatever is compiled from a value is kept beside
 * that copy, so hundreds of servers with the same CRDs share it; when the last user lets go, it can all be collected.
 */
export class Interner<T extends object> {
  private readonly known = new Map<string, WeakRef<T>>();
  private readonly copies = new WeakSet<T>();
  private readonly gone = new FinalizationRegistry<string>((hash) => {
    if (this.known.get(hash)?.deref() === undefined) this.known.delete(hash);
  });

  /** The shared copy of a value. */
  intern(value: T): T {
    if (this.copies.has(value)) return value;
    const hash = createHash('sha256').update(JSON.stringify(value)).digest('base64');
    const existing = this.known.get(hash)?.deref();
    if (existing) return existing;
    const copy = deepFreeze(Object.isFrozen(value) ? value : jsonClone(value));
    this.known.set(hash, new WeakRef(copy));
    this.copies.add(copy);
    this.gone.register(copy, hash);
    return copy;
  }
}

const schemas = new Interner<Schema>();

/** The shared copy of a schema; everything compiled from it hangs on this copy. */
export function internSchema(schema: Schema): Schema {
  return schemas.intern(schema);
}
