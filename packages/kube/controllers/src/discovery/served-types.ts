import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiextensionsv1 } from '@hypershift-ts/kube-apimachinery';
import type { Client, DiscoveredResource, InformerCache } from '@hypershift-ts/kube-client';
import { RestMapper } from '@hypershift-ts/kube-client';

type Definition = apiextensionsv1.CustomResourceDefinition;

/**
 * What the API server serves, asked for again only when custom resource definitions came, changed or went. Shared by the
 * garbage collector and the namespace controller of one cluster.
 */
export class ServedTypes {
  private readonly mapper: RestMapper;
  private readonly listeners = new Set<() => void>();
  private stopFollowing: (() => void) | undefined;

  constructor(client: Client) {
    this.mapper = new RestMapper(client);
  }

  /** Begins to notice new and vanished custom resources. */
  follow(cache: InformerCache): void {
    this.stopFollowing ??= cache.informer(apiextensionsv1.customresourcedefinitions).addHandler({
      added: (_definition, initial) => {
        if (!initial) this.changed();
      },
      updated: (before, next) => {
        if (servedVersions(before) !== servedVersions(next)) this.changed();
      },
      deleted: () => this.changed(),
    });
  }

  stop(): void {
    this.stopFollowing?.();
    this.listeners.clear();
  }

  /** Calls back when what is served may have changed. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  resources(): Promise<readonly DiscoveredResource[]> {
    return this.mapper.resources();
  }

  /** One version of every resource that has all these verbs; the server names the preferred version first. */
  async withVerbs(...verbs: readonly string[]): Promise<readonly DiscoveredResource[]> {
    const seen = new Set<string>();
    return (await this.resources()).filter((resource) => {
      const name = `${resource.group}/${resource.resource}`;
      if (seen.has(name) || !verbs.every((verb) => resource.verbs.includes(verb))) return false;
      seen.add(name);
      return true;
    });
  }

  /** The type of an owner reference, asked for again once when it is unknown. */
  typeOf(reference: { readonly apiVersion: string; readonly kind: string }): Promise<ResourceType<KubeObject>> {
    return this.mapper.typeOf(reference);
  }

  reset(): void {
    this.mapper.reset();
  }

  private changed(): void {
    this.mapper.reset();
    for (const listener of this.listeners) listener();
  }
}

/** What discovery shows of a definition; status and other changes do not matter. */
function servedVersions({ spec, status, metadata }: Definition): string {
  const established = status?.conditions?.some(({ type, status: value }) => type === 'Established' && value === 'True');
  const versions = spec.versions.filter(({ served }) => served).map(({ name }) => name);
  return `${Boolean(established)} ${Boolean(metadata.deletionTimestamp)} ${versions.join(',')}`;
}
