import type { Resource } from './resource.ts';

/** Everything one server serves: the shared built-in resources plus its own custom ones. */
export class Catalogue {
  private readonly builtin: ReadonlyMap<string, Resource>;
  private readonly custom = new Map<string, Resource>();
  private generation = 0;

  constructor(builtin: ReadonlyMap<string, Resource>) {
    this.builtin = builtin;
  }

  find(group: string, version: string, resource: string): Resource | undefined {
    const key = catalogueKey(group, version, resource);
    return this.builtin.get(key) ?? this.custom.get(key);
  }

  /** The resource of a kind; for owner references and scale targets. */
  findKind(group: string, version: string, kind: string): Resource | undefined {
    for (const resource of this.all())
      if (resource.group === group && resource.version === version && resource.kind === kind) return resource;
    return undefined;
  }

  *all(): IterableIterator<Resource> {
    yield* this.builtin.values();
    yield* this.custom.values();
  }

  /** Replaces the served versions of one custom resource (`widgets.example.com`); none removes it. */
  setCustom(name: string, resources: readonly Resource[]): void {
    for (const [key, existing] of this.custom)
      if (`${existing.resource}.${existing.group}` === name) this.custom.delete(key);
    for (const resource of resources)
      this.custom.set(catalogueKey(resource.group, resource.version, resource.resource), resource);
    this.generation++;
  }

  /** Changes whenever what is served changes; discovery and OpenAPI documents are cached by it. */
  get revision(): number {
    return this.generation;
  }
}

export function catalogueKey(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`;
}
