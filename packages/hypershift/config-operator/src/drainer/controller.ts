import {
  corev1,
  errorMessage,
  formatTime,
  isNotFound,
  jsonEqual,
  parseGoDuration,
  type policyv1,
  StatusError,
} from '@hypershift-ts/kube-apimachinery';
import {
  type Controller,
  controller,
  type ReconcileContext,
  type ReconcileResult,
} from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import {
  daemonAnnotations,
  daemonStateOf,
  drainBlockedAnnotation,
  drainStartedAnnotation,
} from '../machines/daemon-protocol.ts';
import { machineKeyOf } from '../machines/of-node.ts';
import type { GuestScope } from '../options.ts';
import { podsToMove } from './pods.ts';

const recheckMs = 5000;

/** Empties nodes, and lets pods onto them again, when the daemon that changes their machine asks for it. */
export function drainerController(scope: GuestScope): Controller {
  return controller({
    name: 'drainer',
    for: {
      type: corev1.nodes,
      cache: scope.guest,
      predicate: {
        created: asks,
        updated: (before, after) => asks(after) && !jsonEqual(before.metadata.annotations, after.metadata.annotations),
        deleted: () => false,
      },
    },
    concurrency: 10,
    async reconcile({ name }, context) {
      const node = scope.guest.get(corev1.nodes, { name });
      if (!node) return undefined;
      if (!asks(node)) return undefined;
      const { desiredDrain } = daemonStateOf(node);
      const verb = desiredDrain.split('-')[0];
      if (verb === 'drain') return drain(scope, node, desiredDrain, context);
      if (verb === 'uncordon') return finish(scope, node, desiredDrain, false, context);
      throw new Error(
        `node ${name} asks for ${JSON.stringify(desiredDrain)} in ${daemonAnnotations.desiredDrain}; only drain-<config> and uncordon-<config> are known`,
      );
    },
  });
}

/** Whether the daemon of a node waits for something. */
function asks(node: corev1.Node): boolean {
  const { desiredDrain, appliedDrain } = daemonStateOf(node);
  return desiredDrain !== '' && desiredDrain !== appliedDrain;
}

async function drain(
  scope: GuestScope,
  node: corev1.Node,
  desiredDrain: string,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const { hostedClient } = scope.options;
  const { clock, signal } = context;
  const name = node.metadata.name ?? '';
  const started = node.metadata.annotations?.[drainStartedAnnotation];
  if (node.spec?.unschedulable !== true || started === undefined)
    await patchNode(scope, node, { [drainStartedAnnotation]: started ?? formatTime(clock.now()) }, true, context);
  const { items } = await hostedClient.list(corev1.pods, { fieldSelector: `spec.nodeName=${name}`, signal });
  const moving = podsToMove(node, items, clock.now());
  if (moving.length === 0 || isOverdue(scope, node, started, clock.now()))
    return finish(scope, node, desiredDrain, true, context);
  const obstacles: string[] = [];
  for (const pod of moving) {
    if (pod.metadata.deletionTimestamp) continue;
    const obstacle = await evict(scope, pod, signal);
    if (obstacle) obstacles.push(obstacle);
  }
  const blocked = obstacles.length > 0 ? `Draining node ${name} is blocked: ${obstacles.join(', ')}` : null;
  await patchNode(scope, node, { [drainBlockedAnnotation]: blocked }, true, context);
  return { requeueAfterMs: recheckMs };
}

/** A machine may say how long its node may take; afterwards the change goes on with whatever is left. */
function isOverdue({ management, options }: GuestScope, node: corev1.Node, started: string | undefined, nowMs: number) {
  const { namespace } = options;
  const key = machineKeyOf(node);
  const machine = key?.namespace === namespace ? management.get(capiv1beta1.machines, key, { namespace }) : undefined;
  // Nothing and zero mean for ever.
  const limit = parseGoDuration(machine?.spec?.nodeDrainTimeout) || Number.POSITIVE_INFINITY;
  return started !== undefined && nowMs - Date.parse(started) > limit;
}

/** Asks the pod to leave; answers what does not let it. */
async function evict({ options }: GuestScope, pod: corev1.Pod, signal: AbortSignal): Promise<string | undefined> {
  const { namespace = '', name = '' } = pod.metadata;
  try {
    const eviction: policyv1.Eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } };
    await options.hostedClient.create(corev1.pods, eviction as never, { subresource: 'eviction', signal });
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof StatusError && error.code === 429) return `pod ${namespace}/${name} (${errorMessage(error)})`;
    throw error;
  }
}

function finish(
  scope: GuestScope,
  node: corev1.Node,
  appliedDrain: string,
  unschedulable: boolean,
  context: ReconcileContext,
): Promise<undefined> {
  const done = {
    [daemonAnnotations.lastAppliedDrain]: appliedDrain,
    [drainStartedAnnotation]: null,
    [drainBlockedAnnotation]: null,
  };
  return patchNode(scope, node, done, unschedulable, context);
}

/** Writes annotations and whether pods may come, if that is not so already. */
async function patchNode(
  { options }: GuestScope,
  node: corev1.Node,
  annotations: { readonly [key: string]: string | null },
  unschedulable: boolean,
  { signal }: ReconcileContext,
): Promise<undefined> {
  const live = node.metadata.annotations ?? {};
  const changed = Object.entries(annotations).filter(([key, value]) => (live[key] ?? null) !== value);
  const isSo = (node.spec?.unschedulable ?? false) === unschedulable;
  if (changed.length === 0 && isSo) return;
  const body = {
    ...(changed.length > 0 ? { metadata: { annotations: Object.fromEntries(changed) } } : {}),
    ...(isSo ? {} : { spec: { unschedulable: unschedulable || null } }),
  };
  const name = node.metadata.name ?? '';
  await options.hostedClient.patch(corev1.nodes, { name }, { type: 'merge', body }, { signal });
}
