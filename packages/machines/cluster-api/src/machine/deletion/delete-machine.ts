import { corev1, errorMessage, formatTime, isConditionTrue, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { deleteIfPresent } from '@hypershift-ts/kube-controller';
import { falseState, type State, trueState } from '../../conditions/v1beta1.ts';
import type { Environment } from '../../environment.ts';
import type { ObjectRef } from '../../external/resource-types.ts';
import type * as capi from '../../generated/capiv1beta1.ts';
import { annotations, hasAnnotation } from '../../keys.ts';
import { keyOfObject } from '../../upkeep.ts';
import type { DeletionProgress } from '../facts.ts';
import { cordon, drain, isUnreachable, stayingPods } from './drain.ts';
import type { DrainWatches } from './drain-watches.ts';
import { knownNode, type NodeAccess, nodeAccess } from './node-access.ts';
import { attachedVolumes } from './volumes.ts';

type Machine = capi.Machine;

export interface DeletionTools {
  readonly env: Environment;
  readonly context: ReconcileContext;
  readonly drains: DrainWatches;
}

/** What the deletion of one Machine knows and has noted so far. */
interface Deletion extends DeletionTools {
  readonly machine: Machine;
  readonly cluster: capi.Cluster;
  readonly access: NodeAccess & { readonly allowed: true };
  readonly notes: Notes;
}

interface Notes {
  states: State[];
  nodeDrainStartTime: string | undefined;
  waitForNodeVolumeDetachStartTime: string | undefined;
}

/** A reason to wait; undefined goes on to the next step. */
type Wait =
  | { readonly reason: string; readonly message: string; readonly requeueAfterMs?: number | undefined }
  | undefined;

const retryMs = 20_000;

/** Takes a Machine down step by step. Answers what it waits for, or undefined when nothing of it is left. */
export async function deleteMachine(
  machine: Machine,
  cluster: capi.Cluster | undefined,
  tools: DeletionTools,
): Promise<DeletionProgress | undefined> {
  const { env, context } = tools;
  const { deletion } = machine.status ?? {};
  const notes: Notes = {
    states: [],
    nodeDrainStartTime: deletion?.nodeDrainStartTime,
    waitForNodeVolumeDetachStartTime: deletion?.waitForNodeVolumeDetachStartTime,
  };
  const access = await nodeAccess(machine, cluster, env, context);
  const guest = access.allowed && cluster ? { ...tools, machine, cluster, access, notes } : undefined;
  const { infrastructureRef, bootstrap } = machine.spec;
  const wait =
    (guest && (await emptyNode(guest))) ??
    preTerminate(machine, notes) ??
    forgetNodeHealth(notes) ??
    (await deleteProvided(infrastructureRef, 'WaitingForInfrastructureDeletion', tools)) ??
    (await deleteProvided(bootstrap.configRef, 'WaitingForBootstrapDeletion', tools)) ??
    (guest && (await deleteNode(guest)));
  return wait && { ...notes, ...wait };
}

async function emptyNode(deletion: Deletion): Promise<Wait> {
  return (
    hooks(deletion.machine, deletion.notes, {
      prefix: annotations.preDrainHook,
      condition: 'PreDrainDeleteHookSucceeded',
      reason: 'WaitingForPreDrainHook',
      what: 'pre-drain',
    }) ??
    (await drainNode(deletion)) ??
    (await detachVolumes(deletion))
  );
}

/** Nobody looks at the node of a machine that is taken down. */
function forgetNodeHealth(notes: Notes): undefined {
  notes.states.push(falseState('NodeHealthy', 'Deleting', 'Info'));
  return undefined;
}

function preTerminate(machine: Machine, notes: Notes): Wait {
  return hooks(machine, notes, {
    prefix: annotations.preTerminateHook,
    condition: 'PreTerminateDeleteHookSucceeded',
    reason: 'WaitingForPreTerminateHook',
    what: 'pre-terminate',
  });
}

/** Somebody else asked to act first; taking the annotation away is what lets the deletion go on. */
function hooks(
  machine: Machine,
  notes: Notes,
  {
    prefix,
    condition,
    reason,
    what,
  }: { readonly prefix: string; readonly condition: string; readonly reason: string; readonly what: string },
): Wait {
  const names = Object.keys(machine.metadata.annotations ?? {}).filter((key) => key.startsWith(prefix));
  const waited = machine.status?.conditions?.some(({ type }) => type === condition);
  if (names.length === 0) {
    if (waited) notes.states.push(trueState(condition));
    return undefined;
  }
  notes.states.push(falseState(condition, 'WaitingExternalHook', 'Info', `waiting for ${names.sort().join(', ')}`));
  return { reason, message: `Waiting for ${what} hooks to succeed (hooks: ${names.join(',')})` };
}

/** True once the time given for a step has passed; no time or zero means as long as it takes. */
function isOver(timeout: string | undefined, startedAt: string | undefined, nowMs: number): boolean {
  const limit = parseGoDuration(timeout) ?? 0;
  return limit > 0 && startedAt !== undefined && Date.parse(startedAt) + limit <= nowMs;
}

/** Soon at first, then less often, and no later than the step's own limit. */
function retryIn(startedAt: string, timeout: string | undefined, nowMs: number): number {
  const elapsed = nowMs - Date.parse(startedAt);
  const limit = parseGoDuration(timeout) ?? 0;
  const left = limit > 0 ? Math.max(limit - elapsed, 0) : Number.POSITIVE_INFINITY;
  return Math.min(Math.max(elapsed / 4, 1000), retryMs, left + 1);
}

async function isDrainNeeded({ machine, env, context, notes }: Deletion): Promise<boolean> {
  if (hasAnnotation(machine, annotations.excludeNodeDraining)) return false;
  const { conditions } = machine.status ?? {};
  if (conditions?.some(({ type }) => type === 'PreTerminateDeleteHookSucceeded')) return false;
  const { object } = await env.external.find(machine.spec.infrastructureRef, context.signal);
  // Without its instance no pod can run on the node any more.
  if (!object || object.metadata.deletionTimestamp) return false;
  return !isOver(machine.spec.nodeDrainTimeout, notes.nodeDrainStartTime, context.clock.now());
}

async function drainNode(deletion: Deletion): Promise<Wait> {
  const { machine, cluster, access, context, drains, notes } = deletion;
  const { clock, client, events, signal } = context;
  if (!(await isDrainNeeded(deletion))) return undefined;
  notes.nodeDrainStartTime ??= formatTime(clock.now());
  const wait = (lines: readonly string[]): Wait => {
    const started = notes.nodeDrainStartTime ?? '';
    const message = [`Drain not completed yet (started at ${started}):`, ...lines].join('\n');
    notes.states.push(falseState('DrainingSucceeded', 'Draining', 'Info', message));
    return {
      reason: 'DrainingNode',
      message,
      requeueAfterMs: retryIn(started, machine.spec.nodeDrainTimeout, clock.now()),
    };
  };
  if (!access.hosted) return wait([`* Cluster ${cluster.metadata.name} cannot be reached`]);
  const node = knownNode(access);
  if (!node) return undefined;
  const hosted = access.hosted.client;
  try {
    await cordon(hosted, node);
    const pods = await drains.podsOn(keyOfObject(machine), access.nodeName, hosted, clock, signal);
    const blockers = await drain({ machine, cluster, node, pods, management: client, hosted, nowMs: clock.now() });
    if (blockers.length > 0) return wait(blockers);
  } catch (error) {
    const message = `error draining Machine's node ${access.nodeName}: ${errorMessage(error)}`;
    notes.states.push(falseState('DrainingSucceeded', 'DrainingFailed', 'Warning', message));
    events.warning(machine, 'FailedDrainNode', message);
    return { reason: 'DrainingNode', message, requeueAfterMs: retryMs };
  }
  notes.states.push(trueState('DrainingSucceeded'));
  if (!isConditionTrue(machine.status?.conditions, 'DrainingSucceeded')) {
    events.normal(machine, 'SuccessfulDrainNode', `success draining Machine's node "${access.nodeName}"`);
  }
  return undefined;
}

async function detachVolumes({ machine, cluster, access, context, drains, notes }: Deletion): Promise<Wait> {
  const { clock, client, events, signal } = context;
  const node = knownNode(access);
  if (!access.hosted || !node || isUnreachable(node) || hasAnnotation(machine, annotations.excludeVolumeDetach))
    return undefined;
  const timeout = machine.spec.nodeVolumeDetachTimeout;
  if (isOver(timeout, notes.waitForNodeVolumeDetachStartTime, clock.now())) return undefined;
  const hosted = access.hosted.client;
  const pods = await drains.podsOn(keyOfObject(machine), access.nodeName, hosted, clock, signal);
  const staying = await stayingPods({ machine, cluster, node, pods, management: client, hosted, nowMs: clock.now() });
  const volumes = await attachedVolumes(hosted, node, staying);
  const started = (notes.waitForNodeVolumeDetachStartTime ??= formatTime(clock.now()));
  if (volumes.length === 0) {
    notes.states.push(trueState('VolumeDetachSucceeded'));
    if (!isConditionTrue(machine.status?.conditions, 'VolumeDetachSucceeded')) {
      const message = `success waiting for node volumes detaching Machine's node "${access.nodeName}"`;
      events.normal(machine, 'NodeVolumesDetached', message);
    }
    return undefined;
  }
  const message = `Waiting for Node volumes to be detached (started at ${started}): ${volumes.slice(0, 5).join(', ')}`;
  notes.states.push(falseState('VolumeDetachSucceeded', 'WaitingForVolumeDetach', 'Info', message));
  return { reason: 'WaitingForVolumeDetach', message, requeueAfterMs: retryIn(started, timeout, clock.now()) };
}

async function deleteProvided(
  ref: ObjectRef | undefined,
  reason: string,
  { env, context }: DeletionTools,
): Promise<Wait> {
  if (!ref?.name) return undefined;
  const { type, object } = await env.external.find(ref, context.signal);
  if (!type || !object) return undefined;
  await deleteIfPresent(context.client, type, { namespace: env.namespace, name: ref.name }, { live: object });
  return { reason, message: `Waiting for ${ref.kind} to be deleted` };
}

async function deleteNode({ machine, access, context }: Deletion): Promise<Wait> {
  const { clock, events } = context;
  const message = (why: string) => `Node ${access.nodeName} cannot be deleted: ${why}`;
  const givenUp = isOver(machine.spec.nodeDeletionTimeout, machine.metadata.deletionTimestamp, clock.now());
  try {
    if (!access.hosted) throw new Error('its cluster cannot be reached');
    await deleteIfPresent(access.hosted.client, corev1.nodes, { name: access.nodeName });
    return undefined;
  } catch (error) {
    const text = message(errorMessage(error));
    events.warning(machine, 'FailedDeleteNode', text);
    return givenUp ? undefined : { reason: 'DeletingNode', message: text, requeueAfterMs: 10_000 };
  }
}
