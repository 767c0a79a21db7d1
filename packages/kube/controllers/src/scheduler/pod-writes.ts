import type { Clock, corev1, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, findCondition, formatTime, isNotFound, keyOf } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { EventRecorder } from '@hypershift-ts/kube-controller';
import type { NoNode } from './decisions.ts';

type Pod = corev1.Pod;

interface Environment {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

const selectedNode = 'volume.kubernetes.io/selected-node';

/** `pods/binding` takes a Binding where the type of the path says Pod. */
const bindings = core.pods as unknown as ResourceType<corev1.Binding>;

export async function bindPod({ client, events }: Environment, pod: Pod, node: string): Promise<void> {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  await client.create(
    bindings,
    {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    },
    { subresource: 'binding' },
  );
  events.normal(pod, 'Scheduled', `Successfully assigned ${keyOf(pod)} to ${node}`);
}

/** Tells whoever provisions the claim's volume where it will be used. */
export async function selectNode(
  { client }: Environment,
  claim: corev1.PersistentVolumeClaim,
  node: string,
): Promise<void> {
  const { name = '', namespace = '', annotations } = claim.metadata;
  if (annotations?.[selectedNode] === node) return;
  const body = { metadata: { annotations: { [selectedNode]: node } } };
  await client.patch(core.persistentvolumeclaims, { namespace, name }, { type: 'merge', body });
}

/** Says in the pod's conditions and events why it has no node, and makes room where that was decided. */
export async function reportUnschedulable(env: Environment, pod: Pod, decision: NoNode): Promise<void> {
  const { preempt, message } = decision;
  env.events.warning(pod, 'FailedScheduling', message);
  const nominatedNodeName = preempt?.node.name ?? pod.status?.nominatedNodeName;
  const current = findCondition(pod.status?.conditions, 'PodScheduled');
  const told = current?.status === 'False' && current.reason === 'Unschedulable' && current.message === message;
  if (!told || nominatedNodeName !== pod.status?.nominatedNodeName) {
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
    await patchStatus(env, pod, condition, nominatedNodeName ? { nominatedNodeName } : {}, current);
  }
  for (const victim of preempt?.victims ?? []) await preemptVictim(env, victim, pod, preempt?.node.name ?? '');
}

/** Says that somebody holds the pod back on purpose. */
export async function reportGated(env: Environment, pod: Pod): Promise<void> {
  const current = findCondition(pod.status?.conditions, 'PodScheduled');
  if (current?.reason === 'SchedulingGated') return;
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  const condition = { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message };
  await patchStatus(env, pod, condition, {}, current);
}

async function preemptVictim(env: Environment, victim: Pod, pod: Pod, node: string): Promise<void> {
  if (victim.metadata.deletionTimestamp) return;
  const { namespace = '', name = '', uid } = victim.metadata;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: `${pod.spec.schedulerName ?? 'default-scheduler'}: preempting to accommodate a higher priority pod`,
  };
  try {
    await patchStatus(env, victim, condition, {}, findCondition(victim.status?.conditions, 'DisruptionTarget'));
    await env.client.delete(core.pods, { namespace, name }, uid ? { preconditions: { uid } } : {});
    env.events.normal(victim, 'Preempted', `Preempted by pod ${pod.metadata.uid} on node ${node}`);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function patchStatus(
  { client, clock }: Environment,
  pod: Pod,
  condition: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
  fields: object,
  current: corev1.PodCondition | undefined,
): Promise<void> {
  const { namespace = '', name = '', uid } = pod.metadata;
  const now = formatTime(clock.now());
  const lastTransitionTime = current?.status === condition.status ? (current.lastTransitionTime ?? now) : now;
  const conditions = [{ ...condition, lastProbeTime: null, lastTransitionTime }];
  const body = { metadata: { uid }, status: { conditions, ...fields } };
  await client.patch(core.pods, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' });
}
