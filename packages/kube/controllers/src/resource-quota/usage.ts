import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import { podRequests } from '../placement/pod-requests.ts';
import { isPodFinished } from '../workload/pod-state.ts';

type Pod = corev1.Pod;

/** What is counted in one namespace. */
export interface NamespaceContent {
  readonly pods: readonly Pod[];
  readonly services: readonly corev1.Service[];
  readonly claims: readonly corev1.PersistentVolumeClaim[];
  /** Number of objects by `resource` or `resource.group`. */
  count(resource: string): number | undefined;
}

function isBestEffort({ spec }: Pod): boolean {
  return [...spec.containers, ...(spec.initContainers ?? [])].every(
    ({ resources }) => Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length === 0,
  );
}

function inScope(scope: string, pod: Pod): boolean {
  switch (scope) {
    case 'Terminating':
      return pod.spec.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return pod.spec.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return Boolean(pod.spec.priorityClassName);
    default:
      return false;
  }
}

function matchesScopes({ scopes = [], scopeSelector }: corev1.ResourceQuotaSpec, pod: Pod): boolean {
  if (!scopes.every((scope) => inScope(scope, pod))) return false;
  return (scopeSelector?.matchExpressions ?? []).every(({ scopeName, operator, values = [] }) => {
    if (scopeName !== 'PriorityClass') return inScope(scopeName, pod);
    const name = pod.spec.priorityClassName;
    if (operator === 'In') return name !== undefined && values.includes(name);
    if (operator === 'NotIn') return name === undefined || !values.includes(name);
    return operator === 'Exists' ? Boolean(name) : !name;
  });
}

/** How much of each limited resource is in use. */
export function quotaUsage(spec: corev1.ResourceQuotaSpec, content: NamespaceContent): { [resource: string]: string } {
  const pods = content.pods.filter((pod) => !isPodFinished(pod) && matchesScopes(spec, pod));
  const used: Record<string, string> = {};
  for (const resource of Object.keys(spec.hard ?? {})) {
    const amount = usageOf(resource, pods, content);
    if (amount !== undefined) used[resource] = amount;
  }
  return used;
}

function usageOf(resource: string, pods: readonly Pod[], content: NamespaceContent): string | undefined {
  if (resource === 'pods') return String(pods.length);
  const portCount = (type: string) => content.services.filter(({ spec }) => spec?.type === type).length;
  switch (resource) {
    case 'services.loadbalancers':
      return String(portCount('LoadBalancer'));
    case 'services.nodeports':
      return String(content.services.reduce((sum, { spec }) => sum + (spec?.ports ?? []).filter(({ nodePort }) => nodePort).length, 0));
    case 'requests.storage':
      return sum(content.claims.map(({ spec }) => spec?.resources?.requests?.['storage'] ?? '0'));
    default:
  }
  if (resource.startsWith('count/')) {
    const count = content.count(resource.slice('count/'.length));
    return count === undefined ? undefined : String(count);
  }
  const count = content.count(resource);
  if (count !== undefined) return String(count);
  const isLimit = resource.startsWith('limits.');
  const name = resource.replace(/^(requests|limits)\./, '');
  if (isLimit) return sum(pods.flatMap(({ spec }) => spec.containers.map((container) => container.resources?.limits?.[name] ?? '0')));
  return sum(pods.map(({ spec }) => amountText(name, podRequests(spec)[name] ?? 0)));
}

const amountText = (name: string, amount: number) => (name === 'cpu' ? `${amount}m` : String(amount));

function sum(quantities: readonly string[]): string {
  let total = tryParseQuantity('0');
  for (const text of quantities) {
    const value = tryParseQuantity(text);
    if (value) total = total && total.value() === 0n && total.milliValue() === 0n ? value : total?.add(value);
  }
  return total?.toString() ?? '0';
}
