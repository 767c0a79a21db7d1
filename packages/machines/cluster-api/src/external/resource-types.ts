import type { ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isNotFound, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

export interface ObjectRef {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

interface ServedResources {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced?: boolean }[];
}

/** An infrastructure, bootstrap or control plane kind that the management cluster does not serve (yet). */
export class KindNotServed extends Error {
  override readonly name = 'KindNotServed';
  constructor(apiVersion: string, kind: string) {
    super(`the management cluster does not serve ${kind} of ${apiVersion}; install the CRDs of its provider`);
  }
}

/** Which resource serves a kind, asked for once per group version. Kinds that are not served are asked for again. */
export class ResourceTypes {
  private readonly client: Client;
  private readonly known = new Map<string, ResourceType>();

  constructor(client: Client) {
    this.client = client;
  }

  async typeOf({ apiVersion = '', kind = '' }: ObjectRef): Promise<ResourceType> {
    const found = this.known.get(`${apiVersion} ${kind}`);
    if (found) return found;
    const { group, version } = parseApiVersion(apiVersion);
    const { resources = [] } = await this.served(group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
    const served = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (!served) throw new KindNotServed(apiVersion, kind);
    const type = { group, version, kind, resource: served.name, namespaced: served.namespaced === true };
    this.known.set(`${apiVersion} ${kind}`, type);
    return type;
  }

  private async served(path: string): Promise<ServedResources> {
    try {
      const { body } = await this.client.raw('GET', path);
      return JSON.parse(body) as ServedResources;
    } catch (error) {
      if (isNotFound(error)) return {};
      throw error;
    }
  }
}
