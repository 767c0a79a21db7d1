import type { corev1, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  corev1 as core,
  errorMessage,
  findCondition,
  isNotFound,
  keyOf,
  StatusError,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import * as capi from '../../generated/capiv1beta1.ts';
import { type DrainRules, fateOf, type PodFate, rulesFor } from './pod-fate.ts';

type Pod = corev1.Pod;
type Node = corev1.Node;

export interface DrainInputs {
  readonly machine: capi.Machine;
  readonly cluster: capi.Cluster;
  readonly node: Node;
  readonly pods: readonly Pod[];
  readonly management: Client;
  readonly hosted: Client;
  readonly nowMs: number;
}

/** What still keeps pods on the node: one line for each cause, naming pods and PodDisruptionBudgets. */
export type Blockers = readonly string[];

/** Pods named in one line of a condition before it says how many more there are. */
const namedPods = 5;
/** Reasons named, one line each. */
const namedCauses = 20;
/** Evictions in flight at once. */
const parallel = 20;

/** A node whose kubelet reports nothing cannot end its pods in an orderly way. */
export const isUnreachable = (node: Node) => findCondition(node.status?.conditions, 'Ready')?.status === 'Unknown';

export async function cordon(client: Client, node: Node): Promise<void> {
  if (node.spec?.unschedulable) return;
  const patch = { type: 'merge', body: { spec: { unschedulable: true } } } as const;
  await client.patch(core.nodes, { name: node.metadata.name ?? '' }, patch);
}

/** Evicts what may be evicted now, and answers what is left; nothing left means drained. */
export async function drain(inputs: DrainInputs): Promise<Blockers> {
  const rules = await readRules(inputs);
  const due: { readonly pod: Pod; readonly fate: PodFate }[] = [];
  for (const pod of inputs.pods) {
    const fate = fateOf(pod, rules);
    if (fate.behavior !== 'Skip' && !isForgotten(pod, inputs)) due.push({ pod, fate });
  }
  const first = due.reduce((least, { fate }) => Math.min(least, fate.order), Number.POSITIVE_INFINITY);
  const blockers = new Map<string, string[]>();
  const block = (why: string, pod: Pod) => blockers.set(why, [...(blockers.get(why) ?? []), keyOf(pod)]);
  const evictable: Pod[] = [];
  for (const { pod, fate } of due) {
    if (pod.metadata.deletionTimestamp) block('deletionTimestamp set, but still not removed from the Node', pod);
    else if (fate.behavior === 'WaitCompleted') block('waiting for completion', pod);
    else if (fate.order > first) block('waiting for other pods to be evicted first', pod);
    else evictable.push(pod);
  }
  for (let at = 0; at < evictable.length; at += parallel) {
    await Promise.all(
      evictable.slice(at, at + parallel).map(async (pod) => {
        const why = await evict(pod, inputs);
        if (why) block(why, pod);
      }),
    );
  }
  const lines = [...blockers].map(([why, pods]) => `* ${listed(pods)}: ${why}`);
  const left = lines.length - namedCauses;
  return left > 0 ? [...lines.slice(0, namedCauses), `* ... and ${left} more reasons`] : lines;
}

function listed(pods: readonly string[]): string {
  const more = pods.length > namedPods ? `, ... (${pods.length - namedPods} more)` : '';
  return `${pods.length === 1 ? 'Pod' : 'Pods'} ${pods.slice(0, namedPods).join(', ')}${more}`;
}

/** On an unreachable node a pod that was told to go will never say that it has gone. */
function isForgotten({ metadata }: Pod, { node, nowMs }: DrainInputs): boolean {
  return (
    isUnreachable(node) &&
    metadata.deletionTimestamp !== undefined &&
    Date.parse(metadata.deletionTimestamp) < nowMs - 1000
  );
}

/** Undefined when the pod is gone; otherwise why it is still there. */
async function evict(pod: Pod, { hosted, node }: DrainInputs): Promise<string | undefined> {
  const { name = '', namespace = '', uid } = pod.metadata;
  const eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: {
      ...(uid ? { preconditions: { uid } } : {}),
      ...(isUnreachable(node) ? { gracePeriodSeconds: 1 } : {}),
    },
  };
  try {
    await hosted.create(core.pods as ResourceType<KubeObject>, eviction, { subresource: 'eviction' });
    return 'deletionTimestamp set, but still not removed from the Node';
  } catch (error) {
    if (isNotFound(error)) return undefined;
    return refusalOf(error);
  }
}

/** A budget is named in the causes of a 429; anything else is told as it is. */
function refusalOf(error: unknown): string {
  if (!(error instanceof StatusError)) return `failed to evict pod: ${errorMessage(error)}`;
  const causes = error.details?.causes ?? [];
  const budget = causes.find(({ reason }) => reason === 'DisruptionBudget');
  if (budget) return `cannot evict pod as it would violate the pod's disruption budget. ${budget.message ?? ''}`.trim();
  return error.code === 429 ? `cannot evict pod now: ${error.message}` : `failed to evict pod: ${error.message}`;
}

async function readRules({ machine, cluster, pods, management, hosted }: DrainInputs): Promise<DrainRules> {
  const all = await listIfServed(management, machine.metadata.namespace ?? '');
  const rules = rulesFor(all, machine, cluster);
  const byNamespace = rules.some(({ spec }) => spec.pods?.some(({ namespaceSelector }) => namespaceSelector));
  const namespaceLabels = new Map<string, { readonly [key: string]: string }>();
  if (byNamespace) {
    for (const namespace of new Set(pods.map(({ metadata }) => metadata.namespace ?? ''))) {
      const found = await hosted.get(core.namespaces, { name: namespace }).catch(() => undefined);
      namespaceLabels.set(namespace, found?.metadata.labels ?? {});
    }
  }
  return { rules, namespaceLabels };
}

async function listIfServed(client: Client, namespace: string): Promise<readonly capi.MachineDrainRule[]> {
  try {
    return (await client.list(capi.machinedrainrules, { namespace })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Pods that stay on the node; their volumes stay attached with them. */
export async function stayingPods(inputs: DrainInputs): Promise<readonly Pod[]> {
  const rules = await readRules(inputs);
  return inputs.pods.filter((pod) => fateOf(pod, rules).behavior === 'Skip');
}
