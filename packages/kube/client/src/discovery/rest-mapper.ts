import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { deepFreeze, parseApiVersion, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '../client.ts';

/** One resource as the server lists it. */
export interface DiscoveredResource extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface AggregatedGroups {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
        readonly categories?: readonly string[];
        readonly verbs?: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced?: boolean;
    readonly kind: string;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** Answers which resource serves a kind, from the server's discovery documents, asked for once. */
export class RestMapper {
  private readonly client: Client;
  private known: Promise<readonly DiscoveredResource[]> | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  /** Everything the server serves. */
  resources(): Promise<readonly DiscoveredResource[]> {
    this.known ??= discover(this.client).catch((error: unknown) => {
      this.known = undefined;
      throw error;
    });
    return this.known;
  }

  /** Ask the server again next time: CRDs came or went. */
  reset(): void {
    this.known = undefined;
  }

  /** The resource of an object's apiVersion and kind; asks the server again once before giving up. */
  async typeOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): Promise<ResourceType> {
    const { group, version } = parseApiVersion(object.apiVersion);
    const find = async () =>
      (await this.resources()).find(
        (resource) => resource.group === group && resource.version === version && resource.kind === object.kind,
      );
    let found = await find();
    if (!found) {
      this.reset();
      found = await find();
    }
    if (found) return found;
    const message = `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
    throw new StatusError(404, 'NotFound', message);
  }
}

/** Discovery in two requests where the server knows the aggregated form, in one per group version where not. */
export async function discover(client: Client): Promise<readonly DiscoveredResource[]> {
  const headers = { accept: `${aggregated},application/json` };
  const [core, groups] = await Promise.all([
    client.raw('GET', '/api', { headers }),
    client.raw('GET', '/apis', { headers }),
  ]);
  const [coreResources, others] = [read(core.body), read(groups.body)];
  if (coreResources && others) return [...coreResources, ...others];
  return discoverEach(client, JSON.parse(groups.body) as { groups?: { versions?: { groupVersion: string }[] }[] });
}

/** What documents said that were read lately: clusters of one release serve the same, and each has many readers. */
const lately = new Map<string, readonly DiscoveredResource[]>();
const mostRemembered = 8;

/** The resources in an aggregated document; undefined when it has another form. */
function read(text: string): readonly DiscoveredResource[] | undefined {
  let found = lately.get(text);
  if (!found) {
    const document = JSON.parse(text) as AggregatedGroups;
    if (document.kind !== 'APIGroupDiscoveryList') return undefined;
    found = deepFreeze(fromAggregated(document));
  }
  lately.delete(text);
  lately.set(text, found);
  for (const oldest of lately.keys()) {
    if (lately.size <= mostRemembered) break;
    lately.delete(oldest);
  }
  return found;
}

function fromAggregated({ items }: AggregatedGroups): DiscoveredResource[] {
  const found: DiscoveredResource[] = [];
  for (const group of items ?? []) {
    for (const { version, resources } of group.versions ?? []) {
      for (const resource of resources ?? []) {
        found.push({
          group: group.metadata?.name ?? '',
          version,
          kind: resource.responseKind?.kind ?? '',
          resource: resource.resource,
          namespaced: resource.scope === 'Namespaced',
          singular: resource.singularResource ?? '',
          shortNames: resource.shortNames ?? [],
          categories: resource.categories ?? [],
          verbs: resource.verbs ?? [],
          subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
        });
      }
    }
  }
  return found;
}

async function discoverEach(
  client: Client,
  groups: { readonly groups?: readonly { readonly versions?: readonly { readonly groupVersion: string }[] }[] },
): Promise<DiscoveredResource[]> {
  const versions = (groups.groups ?? []).flatMap((group) => group.versions ?? []).map((one) => one.groupVersion);
  const lists = await Promise.all(
    ['v1', ...versions].map(async (groupVersion) => {
      const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
      try {
        const { body } = await client.raw('GET', path, { headers: { accept: 'application/json' } });
        return fromList(groupVersion, JSON.parse(body) as ResourceList);
      } catch (error) {
        // A broken aggregated API must not hide all the others.
        if (error instanceof StatusError && (error.code === 404 || error.code === 503)) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}

function fromList(groupVersion: string, { resources = [] }: ResourceList): DiscoveredResource[] {
  const place = parseApiVersion(groupVersion);
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => ({
      ...place,
      kind: resource.kind,
      resource: resource.name,
      namespaced: resource.namespaced ?? false,
      singular: resource.singularName ?? '',
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: resource.verbs ?? [],
      subresources: resources
        .filter(({ name }) => name.startsWith(`${resource.name}/`))
        .map(({ name }) => name.slice(resource.name.length + 1)),
    }));
}
