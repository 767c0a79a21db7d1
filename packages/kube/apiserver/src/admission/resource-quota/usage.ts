import {
  parseQuantity,
  type Quantity,
  tryParseQuantity,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import { type Amounts, podAmounts } from '../pod-resources.ts';

/** What names a resource in a quota. */
export interface Counted {
  readonly group: string;
  readonly resource: string;
}

const one = parseQuantity('1');
const perContainer = ['cpu', 'memory', 'ephemeral-storage'];
/** Kinds that were countable by their bare name before `count/`. */
const bareNames = [
  'pods',
  'services',
  'secrets',
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'persistentvolumeclaims',
];

/** `count/deployments.apps`, `count/pods`. */
function countName({ group, resource }: Counted): string {
  return `count/${resource}${group === '' ? '' : `.${group}`}`;
}

/** What one object takes of a quota, under every name a quota may use. */
export function usageOf(counted: Counted, object: UnstructuredObject | Draft): Amounts {
  const usage: Amounts = new Map([[countName(counted), one]]);
  if (counted.group !== '') return usage;
  const { resource } = counted;
  const spec = ((object as Draft)['spec'] ?? {}) as Draft;
  if (resource === 'pods') {
    if (!isFinished(object as Draft)) addPod(usage, spec);
  } else if (bareNames.includes(resource)) usage.set(resource, one);
  if (resource === 'services') addService(usage, spec);
  if (resource === 'persistentvolumeclaims') addClaim(usage, spec);
  return usage;
}

/** A pod that ran to its end holds its name and nothing else. */
function isFinished({ status }: Draft): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function addPod(usage: Amounts, spec: Draft): void {
  usage.set('pods', one);
  for (const [name, amount] of podAmounts(spec, 'requests')) {
    if (perContainer.includes(name) || name.startsWith('hugepages-')) usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podAmounts(spec, 'limits')) usage.set(`limits.${name}`, amount);
}

function addService(usage: Amounts, spec: Draft): void {
  const ports = parseQuantity(String((spec['ports'] ?? []).length));
  if (spec['type'] === 'LoadBalancer') {
    usage.set('services.loadbalancers', one);
    if (spec['allocateLoadBalancerNodePorts'] !== false) usage.set('services.nodeports', ports);
  } else if (spec['type'] === 'NodePort') usage.set('services.nodeports', ports);
}

function addClaim(usage: Amounts, spec: Draft): void {
  const storage: Quantity | undefined = tryParseQuantity(spec['resources']?.requests?.storage);
  const storageClass = spec['storageClassName'] as string | undefined;
  if (storage) usage.set('requests.storage', storage);
  if (!storageClass) return;
  usage.set(`${storageClass}.storageclass.storage.k8s.io/persistentvolumeclaims`, one);
  if (storage) usage.set(`${storageClass}.storageclass.storage.k8s.io/requests.storage`, storage);
}

/** The resource a name in a quota is about; undefined for names nobody here understands. */
export function countedBy(name: string): Counted | undefined {
  if (name.startsWith('count/')) {
    const [resource = '', ...group] = name.slice('count/'.length).split('.');
    return { group: group.join('.'), resource };
  }
  if (bareNames.includes(name)) return { group: '', resource: name };
  if (name.startsWith('services.')) return { group: '', resource: 'services' };
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/'))
    return { group: '', resource: 'persistentvolumeclaims' };
  if (perContainer.includes(name) || /^(requests|limits)\./.test(name) || name.startsWith('hugepages-'))
    return { group: '', resource: 'pods' };
  return undefined;
}

/** What containers must state so that a quota can count it: `cpu for: a,b; memory for: a`. */
export function unstated(spec: Draft, hard: readonly string[]): string | undefined {
  const required = hard.filter((name) => /^((requests|limits)\.)?(cpu|memory)$/.test(name)).sort();
  const containers = [...(spec['containers'] ?? []), ...(spec['initContainers'] ?? [])] as Draft[];
  const missing = required.flatMap((name) => {
    const part = name.startsWith('limits.') ? 'limits' : 'requests';
    const resource = name.replace(/^(requests|limits)\./, '');
    // Stated once for the whole pod is enough.
    if (spec['resources']?.[part]?.[resource] !== undefined) return [];
    const names = containers
      .filter(({ resources }) => resources?.[part]?.[resource] === undefined)
      .map((container) => String(container['name']));
    return names.length === 0 ? [] : [`${name} for: ${names.sort().join(',')}`];
  });
  return missing.length === 0 ? undefined : missing.join('; ');
}
