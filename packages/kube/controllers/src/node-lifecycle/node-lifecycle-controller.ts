import type { coordinationv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  coordinationv1 as coordination,
  corev1 as core,
  findCondition,
  formatTime,
  isNotFound,
  jsonEqual,
  StatusError,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import { perCluster } from '../workload/per-cluster.ts';
import { isPodReady } from '../workload/pod-state.ts';
import { podsOnNode } from '../workload/pods-on-node.ts';
import { writeStatus } from '../workload/status.ts';
import { desiredTaints, unheardConditions } from './node-conditions.ts';

type Node = corev1.Node;

const leaseNamespace = 'kube-node-lease';

interface Heartbeat {
  /** What was seen last: any change of it is a sign of life. */
  readonly sign: string;
  /** When we saw it, by our own clock: the node's may be wrong. */
  readonly seenMs: number;
}

const heartbeats = perCluster(() => new Map<string, Heartbeat>());

export interface NodeLifecycleOptions {
  /** A node not heard of for this long is not ready. Default 50 s. */
  readonly monitorGracePeriodMs?: number;
}

/** Notices nodes that stopped reporting and taints nodes by their conditions. */
export function nodeLifecycleController(options: NodeLifecycleOptions = {}): Controller {
  const graceMs = options.monitorGracePeriodMs ?? 50_000;

  async function reconcile({ name }: { readonly name: string }, context: ReconcileContext): Promise<ReconcileResult> {
    const { cache, clock, client } = context;
    const known = heartbeats(cache);
    let node = cache.get(core.nodes, { name });
    if (!node) {
      known.delete(name);
      return undefined;
    }
    const now = clock.now();
    const sign = signOfLife(node, cache.get(coordination.leases, { namespace: leaseNamespace, name }));
    const last = known.get(name);
    const heartbeat = last?.sign === sign ? last : { sign, seenMs: now };
    known.set(name, heartbeat);
    const left = heartbeat.seenMs + graceMs - now;
    if (left <= 0) node = await markUnheard(node, context);
    const taints = desiredTaints(node, now);
    if (taints !== (node.spec?.taints ?? []) && !jsonEqual(taints, node.spec?.taints ?? [])) {
      node = await writeTaints(node, taints, client);
    }
    if (readyStatus(node) !== 'True') await markPodsNotReady(node, context);
    // Looks again when the grace period of the last sign of life ends; a renewed lease needs no reconcile of its own.
    return { requeueAfterMs: left > 0 ? left : graceMs };
  }

  return controller<Node, [coordinationv1.Lease]>({
    name: 'node-lifecycle-controller',
    for: { type: core.nodes, predicate: { updated: nodeMatters } },
    watches: [
      // Only read, unless the node was given up: then the first renewal is news.
      {
        type: coordination.leases,
        predicate: {
          created: ({ metadata }) => metadata.namespace === leaseNamespace,
          deleted: () => false,
          updated: () => false,
        },
        map: ({ metadata }) => [{ name: metadata.name ?? '' }],
      },
    ],
    concurrency: 4,
    reconcile,
  });
}

const readyStatus = ({ status }: Node) => findCondition(status?.conditions, 'Ready')?.status;

function signOfLife({ status }: Node, lease: coordinationv1.Lease | undefined): string {
  // Our own writes of conditions must not pass for a heartbeat, so only what the kubelet writes counts.
  const beats = (status?.conditions ?? []).map(({ lastHeartbeatTime }) => lastHeartbeatTime ?? '').sort();
  return `${lease?.spec?.renewTime ?? ''} ${beats.at(-1) ?? ''}`;
}

function nodeMatters(before: Node, next: Node): boolean {
  const brief = ({ status }: Node) =>
    (status?.conditions ?? []).map(({ type, status: value }) => `${type}=${value}`).join();
  return (
    brief(before) !== brief(next) ||
    before.spec?.unschedulable !== next.spec?.unschedulable ||
    !jsonEqual(before.spec?.taints ?? [], next.spec?.taints ?? [])
  );
}

/** Everybody writes to a node that joins; only another change of its taints should stand in the way of this one. */
async function writeTaints(node: Node, taints: readonly corev1.Taint[], client: Client): Promise<Node> {
  const before = node.spec?.taints;
  // Guarded by its version, this is a conflict when somebody else was faster, and conflicts are tried again.
  if (!before) return client.update(core.nodes, { ...node, spec: { ...node.spec, taints } });
  const path = '/spec/taints';
  const body = [
    { op: 'test', path: '/metadata/uid', value: node.metadata.uid },
    { op: 'test', path, value: before },
    taints.length > 0 ? { op: 'replace', path, value: taints } : { op: 'remove', path },
  ];
  try {
    return await client.patch(core.nodes, { name: node.metadata.name ?? '' }, { type: 'json', body });
  } catch (error) {
    // Somebody else changed the taints meanwhile, and that change will wake us.
    if (error instanceof StatusError && error.reason === 'Invalid') return node;
    throw error;
  }
}

async function markUnheard(node: Node, { client, clock, events }: ReconcileContext): Promise<Node> {
  const conditions = unheardConditions(node, clock.now());
  if (jsonEqual(conditions, node.status?.conditions ?? [])) return node;
  const wasReady = readyStatus(node) === 'True';
  const updated = await writeStatus(client, core.nodes, node, { ...node.status, conditions });
  if (wasReady) events.normal(node, 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`);
  return updated;
}

/** Services must stop sending traffic to pods whose node is not well. */
async function markPodsNotReady(node: Node, { cache, client, clock, events }: ReconcileContext): Promise<void> {
  for (const pod of podsOnNode(cache, node.metadata.name ?? '')) {
    if (!isPodReady(pod)) continue;
    const { namespace = '', name = '', uid } = pod.metadata;
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: formatTime(clock.now()) };
    try {
      const body = { metadata: { uid }, status: { conditions: [condition] } };
      await client.patch(core.pods, { namespace, name }, { type: 'strategic', body }, { subresource: 'status' });
      events.warning(pod, 'NodeNotReady', 'Node is not ready');
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
