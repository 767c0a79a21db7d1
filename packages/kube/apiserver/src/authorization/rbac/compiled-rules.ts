import type { Attributes } from '../attributes.ts';
import type { PolicyRule } from './types.ts';

interface CompiledRule {
  /** Undefined: every verb. */
  readonly verbs: readonly string[] | undefined;
  /** Undefined: every API group. */
  readonly groups: readonly string[] | undefined;
  /** Undefined: every name, and requests without one. */
  readonly names: ReadonlySet<string> | undefined;
}

interface CompiledUrls {
  readonly verbs: readonly string[] | undefined;
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

/** The rules of one role, arranged so that a check looks only at rules naming its resource. */
export interface CompiledRules {
  /** By what the rule says: `pods`, `pods/log`, `*`, and star-slash-subresource. */
  readonly byResource: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly hasSubresourceWildcard: boolean;
  readonly urls: readonly CompiledUrls[];
}

function unlessAll(values: readonly string[]): readonly string[] | undefined {
  return values.includes('*') ? undefined : values;
}

function compile(rules: readonly PolicyRule[]): CompiledRules {
  const byResource = new Map<string, CompiledRule[]>();
  const urls: CompiledUrls[] = [];
  let hasSubresourceWildcard = false;
  for (const rule of rules) {
    const verbs = unlessAll(rule.verbs ?? []);
    const names = rule.resourceNames?.length ? new Set(rule.resourceNames) : undefined;
    const compiled: CompiledRule = { verbs, groups: unlessAll(rule.apiGroups ?? []), names };
    for (const resource of new Set(rule.resources ?? [])) {
      if (resource.startsWith('*/')) hasSubresourceWildcard = true;
      const list = byResource.get(resource);
      if (list) list.push(compiled);
      else byResource.set(resource, [compiled]);
    }
    if (rule.nonResourceURLs?.length) {
      urls.push({
        verbs,
        exact: rule.nonResourceURLs.filter((url) => !url.endsWith('*')),
        prefixes: rule.nonResourceURLs.filter((url) => url.endsWith('*')).map((url) => url.replace(/\*+$/, '')),
      });
    }
  }
  return { byResource, hasSubresourceWildcard, urls };
}

// Rule lists are frozen values shared by every API server in the process, so their compiled form is shared as well.
const compiledByRules = new WeakMap<readonly PolicyRule[], CompiledRules>();

/** Compiles on first use: most roles of an idle cluster are never asked. */
export function compiledRules(rules: readonly PolicyRule[]): CompiledRules {
  let compiled = compiledByRules.get(rules);
  if (!compiled) {
    compiled = compile(rules);
    compiledByRules.set(rules, compiled);
  }
  return compiled;
}

function anyMatches(rules: readonly CompiledRule[] | undefined, attributes: Attributes): boolean {
  if (rules === undefined) return false;
  for (const rule of rules) {
    if (rule.verbs !== undefined && !rule.verbs.includes(attributes.verb)) continue;
    if (rule.groups !== undefined && !rule.groups.includes(attributes.group)) continue;
    if (rule.names !== undefined && !rule.names.has(attributes.name)) continue;
    return true;
  }
  return false;
}

/** `combined` is `resource` or `resource/subresource`, made once per request and not once per role. */
export function resourceAllowed(compiled: CompiledRules, attributes: Attributes, combined: string): boolean {
  return (
    anyMatches(compiled.byResource.get(combined), attributes) ||
    anyMatches(compiled.byResource.get('*'), attributes) ||
    (compiled.hasSubresourceWildcard &&
      attributes.subresource !== '' &&
      anyMatches(compiled.byResource.get(`*/${attributes.subresource}`), attributes))
  );
}

export function urlAllowed(compiled: CompiledRules, attributes: Attributes): boolean {
  for (const rule of compiled.urls) {
    if (rule.verbs !== undefined && !rule.verbs.includes(attributes.verb)) continue;
    if (rule.exact.includes(attributes.path)) return true;
    for (const prefix of rule.prefixes) if (attributes.path.startsWith(prefix)) return true;
  }
  return false;
}

export function combinedResource(attributes: Attributes): string {
  return attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`;
}

/** Whether this list of rules by itself allows the request. */
export function rulesAllow(rules: readonly PolicyRule[], attributes: Attributes): boolean {
  const compiled = compiledRules(rules);
  return attributes.isResource
    ? resourceAllowed(compiled, attributes, combinedResource(attributes))
    : urlAllowed(compiled, attributes);
}
