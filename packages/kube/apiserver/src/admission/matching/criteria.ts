import { compileLabelSelector, type LabelSelector, type Selector } from '@hypershift-ts/kube-apimachinery';
import type { Catalogue } from '../../resource/catalogue.ts';
import type { Resource } from '../../resource/resource.ts';
import type { RequestView } from './request-view.ts';
import {
  type ResourceRule,
  ruleAllowsName,
  ruleAllowsOperation,
  ruleAllowsScope,
  ruleNames,
  type RuleTarget,
} from './rules.ts';

/** matchConstraints, matchResources, or the same fields of a webhook. */
export interface MatchResources {
  readonly resourceRules?: readonly ResourceRule[];
  readonly excludeResourceRules?: readonly ResourceRule[];
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchPolicy?: string;
}

/** Which requests a policy, binding or webhook is about. */
export interface Criteria {
  readonly rules: readonly ResourceRule[];
  readonly excluded: readonly ResourceRule[];
  /** No rules at all means every resource; only bindings say so. */
  readonly anyResource: boolean;
  readonly equivalent: boolean;
  readonly namespaces: Selector;
  readonly objects: Selector;
}

export function compileCriteria(match: MatchResources | undefined): Criteria {
  const rules = match?.resourceRules ?? [];
  return {
    rules,
    excluded: match?.excludeResourceRules ?? [],
    anyResource: rules.length === 0,
    equivalent: (match?.matchPolicy ?? 'Equivalent') === 'Equivalent',
    namespaces: compileLabelSelector(match?.namespaceSelector ?? {}),
    objects: compileLabelSelector(match?.objectSelector ?? {}),
  };
}

/** Whether the rules could ever match this resource, through another version of it if need be. */
export function concerns(criteria: Criteria, resource: Resource, subresource: string, catalogue: Catalogue): boolean {
  if (criteria.anyResource) return true;
  const targets = [targetOf(resource, subresource)];
  if (criteria.equivalent)
    for (const other of equivalentsOf(catalogue, resource)) targets.push(targetOf(other, subresource));
  return criteria.rules.some((rule) => targets.some((target) => ruleNames(rule, target)));
}

/** The version of the resource by which the request matched, or undefined when it does not concern the criteria. */
export async function matchRequest(criteria: Criteria, view: RequestView): Promise<Resource | undefined> {
  if (matchRules(criteria.excluded, criteria.equivalent, view)) return undefined;
  const matched = criteria.anyResource ? view.request.resource : matchRules(criteria.rules, criteria.equivalent, view);
  if (!matched) return undefined;
  if (!criteria.objects.everything && !matchesObjects(criteria.objects, view)) return undefined;
  if (!criteria.namespaces.everything && !(await matchesNamespace(criteria.namespaces, view))) return undefined;
  return matched;
}

function matchRules(rules: readonly ResourceRule[], equivalent: boolean, view: RequestView): Resource | undefined {
  if (rules.length === 0) return undefined;
  const { request } = view;
  const { operation, resource, subresource } = request;
  const applies = (rule: ResourceRule, target: RuleTarget): boolean =>
    ruleAllowsOperation(rule, operation) &&
    ruleAllowsScope(rule, resource.namespaced) &&
    ruleNames(rule, target) &&
    ruleAllowsName(rule, view.name);
  const own = targetOf(resource, subresource);
  if (rules.some((rule) => applies(rule, own))) return resource;
  if (!equivalent) return undefined;
  const others = equivalentsOf(view.catalogue, resource);
  for (const rule of rules) for (const other of others) if (applies(rule, targetOf(other, subresource))) return other;
  return undefined;
}

/** Either version of the object may carry the labels: an update cannot slip out by dropping one. */
function matchesObjects(selector: Selector, { request }: RequestView): boolean {
  const { object, oldObject } = request;
  return (
    (object !== undefined && selector.matches(object['metadata']?.labels)) ||
    (oldObject !== undefined && selector.matches(oldObject.metadata.labels))
  );
}

/** Cluster-scoped objects are never exempt; a namespace is judged by its own new labels. */
async function matchesNamespace(selector: Selector, view: RequestView): Promise<boolean> {
  const labels = await view.namespaceLabels();
  return labels === 'cluster-scoped' || selector.matches(labels);
}

function targetOf({ group, version, resource }: Resource, subresource: string): RuleTarget {
  return { group, version, resource, subresource };
}

const equivalents = new WeakMap<Catalogue, { revision: number; known: Map<Resource, readonly Resource[]> }>();

/** Other versions (or groups, for events) in which the same stored objects are served. */
function equivalentsOf(catalogue: Catalogue, resource: Resource): readonly Resource[] {
  let cache = equivalents.get(catalogue);
  if (cache?.revision !== catalogue.revision) {
    cache = { revision: catalogue.revision, known: new Map() };
    equivalents.set(catalogue, cache);
  }
  let found = cache.known.get(resource);
  if (!found) {
    const others: Resource[] = [];
    for (const other of catalogue.all())
      if (other !== resource && other.storage.prefix === resource.storage.prefix) others.push(other);
    found = others;
    cache.known.set(resource, found);
  }
  return found;
}
