import { isAlreadyExists, jsonClone, type KubeObject, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import { type PolicyChange, policyChanges } from '../authorization/index.ts';
import { apiServerEndpoints, type InitialObject, initialObjects } from '../bootstrap/initial-objects.ts';
import type { Draft } from '../kinds/behaviour.ts';
import type { Api } from '../registry/api.ts';
import type { Target } from '../registry/registry.ts';
import type { RequestContext } from '../request/context.ts';
import type { Lookup } from '../admission/lookup.ts';

const options = { dryRun: false, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore', force: true } as const;
const rbacGroup = 'rbac.authorization.k8s.io';

export interface BootstrapOptions {
  readonly serviceCidr: string;
  readonly advertise: { readonly address: string; readonly port: number };
  readonly publishEndpoints: boolean;
  readonly rbac: boolean;
}

/** How often and how long apart a replica's half-done work is looked at. */
const looks = 40;
const lookMs = 50;

/** Writes what every cluster has from the start; on a store that already has it, nothing. */
export class Bootstrap {
  private readonly api: Api;
  private readonly lookup: Lookup;
  private readonly contextOf: () => RequestContext;

  constructor(api: Api, lookup: Lookup, contextOf: () => RequestContext) {
    this.api = api;
    this.lookup = lookup;
    this.contextOf = contextOf;
  }

  async run({ serviceCidr, advertise, rbac, publishEndpoints }: BootstrapOptions): Promise<void> {
    const initial = initialObjects({ serviceCidr, securePort: advertise.port });
    const isNamespace = ({ resource }: InitialObject) => resource === 'namespaces';
    // Together, so that a durable store commits them together; namespaces first, because the others live in them.
    await Promise.all(initial.filter(isNamespace).map((one) => this.ensure(one)));
    await Promise.all([
      ...initial.filter((one) => !isNamespace(one)).map((one) => this.ensure(one)),
      ...(rbac ? [this.reconcilePolicy()] : []),
      ...(publishEndpoints ? [this.publishEndpoints(advertise)] : []),
    ]);
  }

  private async ensure({ group, version, resource, object }: InitialObject): Promise<void> {
    const { name = '', namespace = '' } = object.metadata;
    const isThere = async () => (await this.lookup.get(group, resource, namespace, name)) !== undefined;
    if (await isThere()) return;
    try {
      await this.create(this.target(group, version, resource, namespace, ''), object);
    } catch (error) {
      // A replica may have been faster, and hold what the object wants: the address of the first Service, say. It has
      // that a moment before the object is there to be seen.
      for (let look = 0; !(await isThere()); look++) {
        if (look === looks) throw error;
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    }
  }

  /** Default roles and bindings are created, and extended when an older version of us wrote them. */
  private async reconcilePolicy(): Promise<void> {
    const existing = new Map<string, KubeObject>();
    for (const resource of ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'])
      for (const object of await this.lookup.list(rbacGroup, resource))
        existing.set(`${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`, object);
    const changes = policyChanges((kind, namespace, name) => existing.get(`${kind}/${namespace}/${name}`));
    await Promise.all(changes.map((change) => this.applyPolicy(change)));
  }

  private async applyPolicy({ action, object }: PolicyChange): Promise<void> {
    const { group, version } = parseApiVersion(object.apiVersion);
    const { name = '', namespace = '' } = object.metadata;
    const target = this.target(group, version, `${object.kind.toLowerCase()}s`, namespace, name);
    if (action === 'recreate') await this.api.delete(this.contextOf(), target, { dryRun: false });
    if (action === 'update') await this.update(target, object);
    else await this.create({ ...target, name: '' }, object);
  }

  private async publishEndpoints({ address, port }: BootstrapOptions['advertise']): Promise<void> {
    const { endpoints, slice } = apiServerEndpoints(address, port);
    await this.applyObject('', 'v1', 'endpoints', { apiVersion: 'v1', kind: 'Endpoints', ...endpoints });
    await this.applyObject('discovery.k8s.io', 'v1', 'endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      ...slice,
    });
  }

  private async applyObject(group: string, version: string, resource: string, object: object): Promise<void> {
    const target = this.target(group, version, resource, 'default', 'kubernetes');
    await this.api.patch(this.contextOf(), target, { type: 'apply', value: object, problems: [] }, options);
  }

  private async create(target: Target, object: object): Promise<void> {
    const value = {
      apiVersion: target.resource.apiVersion,
      kind: target.resource.kind,
      ...jsonClone(object),
    } as Draft;
    try {
      await this.api.create(this.contextOf(), target, { value, problems: [] }, options);
    } catch (error) {
      // Another server over the same store was faster.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  private async update(target: Target, object: object): Promise<void> {
    await this.api.update(this.contextOf(), target, { value: object, problems: [], ownership: 'lent' }, options);
  }

  private target(group: string, version: string, resource: string, namespace: string, name: string): Target {
    const found = this.api.registry.catalogue.find(group, version, resource);
    if (!found) throw new Error(`the built-in resource ${resource}.${group} is missing`);
    return { resource: found, namespace, name, subresource: '' };
  }
}
