import type { AdmissionOperation } from '../admission.ts';

/** One rule of a webhook or policy, as it stands in the API. */
export interface ResourceRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Only in policies: empty means every name. */
  readonly resourceNames?: readonly string[];
}

/** What a rule is held against; for equivalent matches, another version of the requested resource. */
export interface RuleTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes(value) || list.includes('*'));

/** Whether a rule speaks of this resource, whatever is done to it. */
export function ruleNames(rule: ResourceRule, target: RuleTarget): boolean {
  return (
    has(rule.apiGroups, target.group) &&
    has(rule.apiVersions, target.version) &&
    (rule.resources ?? []).some((entry) => namesResource(entry, target))
  );
}

// Entries look like pods, pods/log, pods and a star, or stars; one without a slash never means subresources.
function namesResource(entry: string, { resource, subresource }: RuleTarget): boolean {
  const slash = entry.indexOf('/');
  const name = slash < 0 ? entry : entry.slice(0, slash);
  const sub = slash < 0 ? '' : entry.slice(slash + 1);
  return (name === '*' || name === resource) && (sub === '*' || sub === subresource);
}

export function ruleAllowsOperation(rule: ResourceRule, operation: AdmissionOperation): boolean {
  return has(rule.operations, operation);
}

/** Namespaces themselves count as cluster-scoped. */
export function ruleAllowsScope({ scope }: ResourceRule, namespaced: boolean): boolean {
  if (scope === undefined || scope === '*') return true;
  return scope === 'Namespaced' ? namespaced : !namespaced;
}

export function ruleAllowsName({ resourceNames }: ResourceRule, name: string): boolean {
  return resourceNames === undefined || resourceNames.length === 0 || resourceNames.includes(name);
}
