/**
 * Remembers what was made of a list of resources for as long as the first of them lives. The same objects in the same
 * order find it again: built-in resources are shared by all servers, and a custom one stays the same object until its
 * definition changes.
 */
export class ResourceMemo<R extends object, T> {
  readonly #known = new WeakMap<R, { readonly resources: readonly R[]; readonly value: T }>();

  get(resources: readonly R[], make: () => T): T {
    const [first] = resources;
    if (!first) return make();
    const known = this.#known.get(first);
    if (known && isSame(known.resources, resources)) return known.value;
    const value = make();
    this.#known.set(first, { resources: [...resources], value });
    return value;
  }
}

function isSame(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
