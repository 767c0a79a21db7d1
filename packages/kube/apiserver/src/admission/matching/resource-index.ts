import type { Catalogue } from '../../resource/catalogue.ts';
import type { Resource } from '../../resource/resource.ts';
import type { AdmissionRequest } from '../admission.ts';
import { concerns, type Criteria } from './criteria.ts';

/** Configuration of admission itself is beyond dynamic admission, or a broken policy could not be removed. */
const exempt = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * Finds the policies or webhooks that may concern a request by its resource alone, so that a request about
 * something nobody asked for costs two lookups.
 */
export class ResourceIndex<T> {
  private readonly catalogue: Catalogue;
  private readonly criteriaOf: (item: T) => Criteria;
  private items: readonly T[] = [];
  private revision = -1;
  private known = new Map<Resource, Map<string, readonly T[]>>();

  constructor(catalogue: Catalogue, criteriaOf: (item: T) => Criteria) {
    this.catalogue = catalogue;
    this.criteriaOf = criteriaOf;
  }

  replace(items: readonly T[]): void {
    this.items = items;
    this.known = new Map();
  }

  all(): readonly T[] {
    return this.items;
  }

  /** In the order in which they were given. */
  find({ resource, subresource }: AdmissionRequest): readonly T[] {
    if (this.items.length === 0) return this.items;
    if (this.revision !== this.catalogue.revision) {
      this.known = new Map();
      this.revision = this.catalogue.revision;
    }
    let bySubresource = this.known.get(resource);
    if (!bySubresource) this.known.set(resource, (bySubresource = new Map()));
    let found = bySubresource.get(subresource);
    if (!found) {
      found = isExempt(resource)
        ? []
        : this.items.filter((item) => concerns(this.criteriaOf(item), resource, subresource, this.catalogue));
      bySubresource.set(subresource, found);
    }
    return found;
  }
}

function isExempt({ group, resource }: Resource): boolean {
  return group === 'admissionregistration.k8s.io' && exempt.has(resource);
}
