import { fieldsOf, isEmpty, listOf, numberOf, stringsOf, textOf } from '../values.ts';
import type { Draft } from '../behaviour.ts';

/** How cells show labels, selectors, containers and lists. */

/** `a=1,b=2`, sorted by key; `<none>` when empty. */
export function formatLabels(labels: unknown): string {
  const parts = labelPairs(labels);
  return parts.length === 0 ? '<none>' : parts.join(',');
}

function labelPairs(labels: unknown): string[] {
  const map = fieldsOf(labels);
  return Object.keys(map)
    .sort()
    .map((key) => `${key}=${map[key]}`);
}

/** A LabelSelector as `app=web,tier in (a,b),!legacy`; an absent or empty one is `<none>`. */
export function formatLabelSelector(selector: unknown): string {
  const text = selectorText(selector);
  return text === '' ? '<none>' : text;
}

/** A LabelSelector in selector syntax, requirements sorted by key; the empty selector is the empty string. */
export function selectorText(selector: unknown): string {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const requirements: { key: string; text: string }[] = [];
  const map = fieldsOf(matchLabels);
  for (const key of Object.keys(map)) requirements.push({ key, text: `${key}=${map[key]}` });
  for (const expression of listOf(matchExpressions)) {
    const key = textOf(expression['key']);
    requirements.push({ key, text: requirementText(key, expression) });
  }
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return requirements.map((requirement) => requirement.text).join(',');
}

function requirementText(key: string, expression: Draft): string {
  const values = [...stringsOf(expression['values'])].sort().join(',');
  switch (expression['operator']) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return '<error>';
  }
}

/** Names and images of a pod spec's containers. */
export function containerCells(podSpec: unknown): [names: string, images: string] {
  const containers = listOf(fieldsOf(podSpec)['containers']);
  return [
    containers.map((container) => textOf(container['name'])).join(','),
    containers.map((container) => textOf(container['image'])).join(','),
  ];
}

/** The first `max` entries and how many were left out. */
export function listWithMore(list: readonly string[], max: number, whenEmpty: string): string {
  if (list.length === 0) return whenEmpty;
  const shown = list.slice(0, max).join(',');
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}

export function boolText(value: unknown): string {
  if (typeof value !== 'boolean') return '<unset>';
  return value ? 'True' : 'False';
}

/** `3/5` from two counters. */
export function ratio(part: unknown, whole: unknown): string {
  return `${numberOf(part)}/${numberOf(whole)}`;
}

/** The addresses of a load balancer status, sorted and without repetition. */
export function loadBalancerAddresses(loadBalancer: unknown): string[] {
  const found = new Set<string>();
  for (const ingress of listOf(fieldsOf(loadBalancer)['ingress'])) {
    const address = textOf(ingress['ip']) || textOf(ingress['hostname']);
    if (address !== '') found.add(address);
  }
  return [...found].sort();
}

/** `host:port`, with IPv6 addresses in brackets. */
export function hostPort(host: string, port: unknown): string {
  return host.includes(':') ? `[${host}]:${numberOf(port)}` : `${host}:${numberOf(port)}`;
}

export function orNone(value: unknown, none = '<none>'): string {
  return isEmpty(value) ? none : String(value);
}

const accessModeShort: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** `RWO,RWX`, in the fixed order kubectl users know. */
export function accessModes(modes: unknown): string {
  const given = new Set(stringsOf(modes));
  return Object.keys(accessModeShort)
    .filter((mode) => given.has(mode))
    .map((mode) => accessModeShort[mode])
    .join(',');
}
