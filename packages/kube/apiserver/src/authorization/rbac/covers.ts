import type { PolicyRule } from './types.ts';

/** One verb on one resource (or name of it), or on one URL: the atoms two sets of rules are compared in. */
export type AtomicRule = PolicyRule;

/** Splits a rule into its atoms. */
function atomsOf(rule: PolicyRule): AtomicRule[] {
  const atoms: AtomicRule[] = [];
  // Checked before validation has seen the object, which would refuse a rule without verbs.
  const verbs = rule.verbs ?? [];
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of verbs) {
        const atom = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (rule.resourceNames?.length) {
          for (const name of rule.resourceNames) atoms.push({ ...atom, resourceNames: [name] });
        } else atoms.push(atom);
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    for (const verb of verbs) atoms.push({ verbs: [verb], nonResourceURLs: [url] });
  }
  return atoms;
}

const includesOrAll = (values: readonly string[] | undefined, wanted: string | undefined) =>
  values !== undefined && (values.includes('*') || (wanted !== undefined && values.includes(wanted)));

function resourceCovered(owned: readonly string[] | undefined, wanted: string): boolean {
  if (includesOrAll(owned, wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash >= 0 && owned !== undefined && owned.includes(`*${wanted.slice(slash)}`);
}

function urlCovered(owned: readonly string[], wanted: string): boolean {
  return owned.some((url) => url === wanted || (url.endsWith('*') && wanted.startsWith(url.replace(/\*+$/, ''))));
}

function coversAtom(owner: PolicyRule, atom: AtomicRule): boolean {
  if (!includesOrAll(owner.verbs, atom.verbs[0])) return false;
  const url = atom.nonResourceURLs?.[0];
  if (url !== undefined) return urlCovered(owner.nonResourceURLs ?? [], url);
  if (!includesOrAll(owner.apiGroups, atom.apiGroups?.[0])) return false;
  if (!resourceCovered(owner.resources, atom.resources?.[0] ?? '')) return false;
  if (!owner.resourceNames?.length) return true;
  const name = atom.resourceNames?.[0];
  return name !== undefined && owner.resourceNames.includes(name);
}

/** The atoms of `wanted` that `owned` does not give; empty when everything is covered. */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): AtomicRule[] {
  return wanted.flatMap(atomsOf).filter((atom) => !owned.some((rule) => coversAtom(rule, atom)));
}

/** Joins atoms that differ only in their verb, which is how people want to read them. */
export function compactRules(atoms: readonly AtomicRule[]): PolicyRule[] {
  const joined = new Map<string, { rule: PolicyRule; verbs: string[] }>();
  for (const atom of atoms) {
    const key = JSON.stringify([atom.apiGroups, atom.resources, atom.resourceNames, atom.nonResourceURLs]);
    // URLs stay apart, one line a verb.
    const seen = atom.nonResourceURLs ? undefined : joined.get(key);
    if (seen) seen.verbs.push(...atom.verbs);
    else joined.set(atom.nonResourceURLs ? `${key}${atom.verbs.join()}` : key, { rule: atom, verbs: [...atom.verbs] });
  }
  return [...joined.values()].map(({ rule, verbs }) => ({ ...rule, verbs }));
}

/** A list of strings as Go's %q prints it: `["a" "b"]`. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}` */
export function formatRule(rule: PolicyRule): string {
  const parts: string[] = [];
  if (rule.apiGroups?.length) parts.push(`APIGroups:${quotedList(rule.apiGroups)}`);
  if (rule.resources?.length) parts.push(`Resources:${quotedList(rule.resources)}`);
  if (rule.nonResourceURLs?.length) parts.push(`NonResourceURLs:${quotedList(rule.nonResourceURLs)}`);
  if (rule.resourceNames?.length) parts.push(`ResourceNames:${quotedList(rule.resourceNames)}`);
  if (rule.verbs.length) parts.push(`Verbs:${quotedList(rule.verbs)}`);
  return `{${parts.join(', ')}}`;
}
