import { syncFinalizer } from '../conversion/names.ts';
import {
  type Authority,
  type HandoverObjects,
  hasPaused,
  isAskedToPause,
  isAtWork,
  isMirrored,
  isSynchronized,
  type Mirror,
  otherAuthority,
  pausableMirrors,
} from './objects.ts';

/** Why a handover cannot go on by itself. */
export type WaitReason =
  | 'NotMirrored'
  | 'NotSynchronized'
  | 'FinalizerMissing'
  | 'Deleting'
  | 'MachineAPINotPaused'
  | 'ClusterAPINotPaused';

/** What to do next for one machine or set. Each step is safe to repeat, and to be cut off before or after. */
export type HandoverStep =
  | { readonly kind: 'settled' }
  | { readonly kind: 'wait'; readonly reason: WaitReason; readonly message: string }
  /** Tells who has authority now; `source` is remembered as the side that both copies agree with. */
  | { readonly kind: 'tell'; readonly authority: Authority | 'Migrating'; readonly source?: Authority }
  /** Tells who has authority after a handover, and that nothing has been synchronised from there yet. */
  | { readonly kind: 'finish'; readonly authority: Authority }
  | { readonly kind: 'pause'; readonly objects: readonly Mirror[] }
  | { readonly kind: 'resume'; readonly objects: readonly Mirror[] }
  /** Copies the spec from the side that has stopped, once more. */
  | { readonly kind: 'synchronize'; readonly source: Authority };

const wait = (reason: WaitReason, message: string): HandoverStep => ({ kind: 'wait', reason, message });

/**
 * One handover of authority: ask, stop the old side, copy what it said last, start the new side, tell. At no moment may
 * both sides act, and no change may be lost. Compatible with upstream on the wire; unlike there, a change that comes in
 * the middle is copied rather than waited out, and a handover can be called off at any time.
 */
export function nextHandoverStep(objects: HandoverObjects): HandoverStep {
  const { spec, status } = objects.machineApi;
  const wanted = spec.authoritativeAPI ?? 'MachineAPI';
  const current = status?.authoritativeAPI;
  if (current === wanted) return { kind: 'settled' };
  if (current === undefined) return { kind: 'tell', authority: wanted };
  if (current !== 'Migrating') return begin(objects, current);
  // Only the last agreement tells where authority comes from: the wish may have changed since.
  const source = status?.synchronizedAPI ?? otherAuthority(wanted);
  return wanted === source ? callOff(objects, source) : handOver(objects, source);
}

/** Nothing begins unless both copies agree and neither can vanish on the way. */
function begin(objects: HandoverObjects, source: Authority): HandoverStep {
  const { machineApi, clusterApi, infra } = objects;
  const name = `${machineApi.kind} ${machineApi.metadata.name}`;
  if (machineApi.metadata.deletionTimestamp || clusterApi?.metadata.deletionTimestamp)
    return wait('Deleting', `${name} is being deleted and keeps its authority`);
  if (!isMirrored(objects)) return wait('NotMirrored', `${name} has no counterpart in Cluster API yet`);
  const { synchronizedAPI = source } = machineApi.status ?? {};
  if (synchronizedAPI !== source || !isSynchronized(objects, source))
    return wait('NotSynchronized', `${name} is not synchronized; see its Synchronized condition`);
  const unprotected = [machineApi, clusterApi, infra].find(
    (object) => object && !object.metadata.finalizers?.includes(syncFinalizer),
  );
  if (unprotected)
    return wait('FinalizerMissing', `${unprotected.kind} ${unprotected.metadata.name} lacks ${syncFinalizer}`);
  return { kind: 'tell', authority: 'Migrating', source };
}

function handOver(objects: HandoverObjects, source: Authority): HandoverStep {
  const stopping = source === 'ClusterAPI' ? stopMirrors(objects) : awaitMachineApi(objects);
  if (stopping) return stopping;
  if (!isMirrored(objects) || !isSynchronized(objects, source)) return { kind: 'synchronize', source };
  const target = otherAuthority(source);
  // The new side is set going before that is told: afterwards nobody would look whether it was.
  return (target === 'ClusterAPI' ? resumeMirrors(objects) : undefined) ?? { kind: 'finish', authority: target };
}

/** Back to where authority came from. Needs nothing of the other side, unless that was set going already. */
function callOff(objects: HandoverObjects, source: Authority): HandoverStep {
  const back = source === 'MachineAPI' ? stopMirrors(objects, { trusting: true }) : resumeMirrors(objects);
  return back ?? { kind: 'finish', authority: source };
}

/** The side of the Machine API stops by itself when it reads that authority is Migrating. */
function awaitMachineApi({ machineApi }: HandoverObjects): HandoverStep | undefined {
  return hasPaused(machineApi)
    ? undefined
    : wait('MachineAPINotPaused', `the Machine API controller has not paused ${machineApi.metadata.name} yet`);
}

/**
 * Asks the side of Cluster API to stop and waits until it says so. When trusting, what was asked to stop all along and
 * does not say that it works counts as stopped, so that a call-off does not depend on controllers that are down.
 */
function stopMirrors(
  objects: HandoverObjects,
  { trusting }: { readonly trusting: boolean } = { trusting: false },
): HandoverStep | undefined {
  const mirrors = pausableMirrors(objects);
  const unasked = mirrors.filter((mirror) => !isAskedToPause(mirror));
  if (unasked.length > 0) return { kind: 'pause', objects: unasked };
  const busy = mirrors.find((mirror) => (trusting ? isAtWork(mirror) : !hasPaused(mirror)));
  return busy && wait('ClusterAPINotPaused', `${busy.kind} ${busy.metadata.name} has not been paused yet`);
}

function resumeMirrors(objects: HandoverObjects): HandoverStep | undefined {
  const stopped = pausableMirrors(objects).filter(isAskedToPause);
  return stopped.length > 0 ? { kind: 'resume', objects: stopped } : undefined;
}
