import { jsonClone, statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Catalogue } from '../../resource/catalogue.ts';
import type { Resource } from '../../resource/resource.ts';
import { scaleView } from '../../subresources/scale.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

/** The objects of a request in the version a policy or webhook asked for. */
export interface VersionedObjects {
  readonly object: Draft | undefined;
  readonly oldObject: UnstructuredObject | undefined;
}

/** One request as all policies and webhooks of a phase see it: what several of them need is worked out once. */
export class RequestView {
  readonly request: AdmissionRequest;
  readonly context: RequestContext;
  private readonly lookup: Lookup;
  private readonly versions = new Map<Resource, VersionedObjects>();
  private namespaceFound: Promise<UnstructuredObject | undefined> | undefined;

  constructor(request: AdmissionRequest, context: RequestContext, lookup: Lookup) {
    this.request = request;
    this.context = context;
    this.lookup = lookup;
  }

  get catalogue(): Catalogue {
    return this.lookup.catalogue;
  }

  /** The name of the request; empty while it is still to be generated. */
  get name(): string {
    return this.request.name;
  }

  /** What policies are told: requests about a namespace carry its name here too. */
  get namespace(): string {
    return isNamespaceRequest(this.request) ? this.request.name : this.request.namespace;
  }

  /** The labels namespace selectors are held against. */
  async namespaceLabels(): Promise<UnstructuredObject['metadata']['labels'] | 'cluster-scoped'> {
    const { request } = this;
    if (!request.resource.namespaced && !isNamespaceRequest(request)) return 'cluster-scoped';
    if (isNamespaceRequest(request) && request.subresource === '' && request.object)
      return request.object['metadata']?.labels;
    const found = await this.namespaceObject();
    if (!found) throw statusErrors.notFound({ group: '', resource: 'namespaces' }, this.namespace);
    return found.metadata.labels;
  }

  /** The namespace the request is in, or undefined for cluster-scoped ones. */
  namespaceObject(): Promise<UnstructuredObject | undefined> {
    if (this.namespace === '') return Promise.resolve(undefined);
    this.namespaceFound ??= this.lookup.get('', 'namespaces', '', this.namespace);
    return this.namespaceFound;
  }

  /** Both objects in the version that matched. */
  async objectsAs(matched: Resource): Promise<VersionedObjects> {
    const { resource, object, oldObject } = this.request;
    if (this.isScale) return this.scales();
    if (matched === resource) return { object, oldObject };
    let known = this.versions.get(matched);
    if (!known) {
      known = {
        object: object && ((await convert(resource, matched, object as unknown as UnstructuredObject)) as Draft),
        oldObject: oldObject && (await convert(resource, matched, oldObject)),
      };
      this.versions.set(matched, known);
    }
    return known;
  }

  /** A write of /scale is about a Scale, though what is stored is the scaled object. */
  get isScale(): boolean {
    return this.request.subresource === 'scale' && this.request.resource.logic.scale !== undefined;
  }

  private scales(): VersionedObjects {
    const { object, oldObject } = this.request;
    const target = { ...this.request, subresource: 'scale' };
    return {
      object: object && (scaleView.read(object as unknown as UnstructuredObject, target) as unknown as Draft),
      oldObject: oldObject && scaleView.read(oldObject, target),
    };
  }

  /** After a mutation the converted objects no longer tell the truth. */
  forgetVersions(): void {
    this.versions.clear();
  }
}

/** An object of one served version in another, by way of the stored one. Never the same object as given. */
export async function convert(from: Resource, to: Resource, object: UnstructuredObject): Promise<UnstructuredObject> {
  // Readers remember what they made of a stored object; a draft that is still changing must not be remembered.
  const copy = jsonClone(object);
  const [stored] = from.storage.toStorage ? await from.storage.toStorage([copy]) : [copy];
  const [served] = to.storage.fromStorage ? await to.storage.fromStorage([stored!]) : [stored!];
  return served!.apiVersion === to.apiVersion ? served! : { ...served!, apiVersion: to.apiVersion, kind: to.kind };
}

function isNamespaceRequest({ resource }: AdmissionRequest): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}
