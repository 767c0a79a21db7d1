import type { Draft } from '../../behaviour.ts';
import { fieldsOf, listOf, numberOf, textOf } from '../../values.ts';

/** What READY, STATUS and RESTARTS show of a pod. */
export interface PodSummary {
  readonly status: string;
  readonly ready: number;
  readonly total: number;
  readonly restarts: number;
  /** When the last of those restarts happened, in milliseconds; undefined when none is on record. */
  readonly lastRestart: number | undefined;
}

interface Tally {
  restarts: number;
  lastRestart: number | undefined;
}

/** Boils a pod's container states down to the one word users read. */
export function summarizePod(metadata: Draft, spec: Draft, status: Draft): PodSummary {
  const initSpecs = new Map(listOf(spec['initContainers']).map((container) => [container['name'], container]));
  const sidecars = [...initSpecs.values()].filter(isSidecar).length;
  const init = initPhase(listOf(status['initContainerStatuses']), initSpecs);
  let text = podReason(status);
  let ready = init.ready;
  let tally = init.all;
  if (init.reason !== undefined) text = init.reason;
  if (init.reason === undefined || hasCondition(status, 'Initialized')) {
    const main = mainPhase(status, text);
    text = main.reason;
    ready += main.ready;
    tally = merge(init.sidecars, main.tally);
  }
  const terminal = status['phase'] === 'Succeeded' || status['phase'] === 'Failed';
  if (metadata['deletionTimestamp']) {
    if (status['reason'] === 'NodeLost') text = 'Unknown';
    else if (!terminal) text = 'Terminating';
  }
  return { status: text, ready, total: listOf(spec['containers']).length + sidecars, ...tally };
}

function podReason(status: Draft): string {
  const gated = listOf(status['conditions']).some(
    (condition) => condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textOf(status['reason']) || textOf(status['phase']);
}

/** The first init container that is not done decides; `reason` stays undefined when all are. */
function initPhase(statuses: readonly Draft[], specs: ReadonlyMap<unknown, Draft>) {
  const all: Tally = { restarts: 0, lastRestart: undefined };
  const sidecars: Tally = { restarts: 0, lastRestart: undefined };
  let ready = 0;
  let reason: string | undefined;
  for (const [index, container] of statuses.entries()) {
    const sidecar = isSidecar(fieldsOf(specs.get(container['name'])));
    count(all, container);
    if (sidecar) count(sidecars, container);
    const { terminated, waiting } = fieldsOf(container['state']);
    if (terminated && numberOf(terminated['exitCode']) === 0) continue;
    if (sidecar && container['started'] === true) {
      if (container['ready'] === true) ready++;
      continue;
    }
    if (terminated) reason = `Init:${exitText(terminated)}`;
    else if (textOf(waiting?.['reason']) !== '' && waiting['reason'] !== 'PodInitializing')
      reason = `Init:${waiting['reason']}`;
    else reason = `Init:${index}/${specs.size}`;
    break;
  }
  return { all, sidecars, ready, reason };
}

function mainPhase(status: Draft, before: string) {
  const tally: Tally = { restarts: 0, lastRestart: undefined };
  let reason = before;
  let failure = '';
  let ready = 0;
  for (const container of [...listOf(status['containerStatuses'])].reverse()) {
    count(tally, container);
    const { terminated, waiting, running } = fieldsOf(container['state']);
    if (textOf(waiting?.['reason']) !== '') reason = waiting['reason'];
    else if (terminated) {
      reason = exitText(terminated);
      if (numberOf(terminated['exitCode']) !== 0) failure = reason;
    } else if (container['ready'] === true && running) ready++;
  }
  // One finished container beside running ones must not make the pod look finished.
  if (reason === 'Completed') {
    if (ready > 0 && hasCondition(status, 'Ready')) reason = 'Running';
    else if (failure !== '') reason = failure;
    else if (ready > 0) reason = 'NotReady';
  }
  return { reason, ready, tally };
}

function exitText(terminated: Draft): string {
  if (textOf(terminated['reason']) !== '') return terminated['reason'];
  return numberOf(terminated['signal']) !== 0
    ? `Signal:${terminated['signal']}`
    : `ExitCode:${numberOf(terminated['exitCode'])}`;
}

function count(tally: Tally, container: Draft): void {
  tally.restarts += numberOf(container['restartCount']);
  const finished = Date.parse(textOf(fieldsOf(fieldsOf(container['lastState'])['terminated'])['finishedAt']));
  if (!Number.isNaN(finished) && finished > (tally.lastRestart ?? 0)) tally.lastRestart = finished;
}

function merge(a: Tally, b: Tally): Tally {
  const last = Math.max(a.lastRestart ?? 0, b.lastRestart ?? 0);
  return { restarts: a.restarts + b.restarts, lastRestart: last > 0 ? last : undefined };
}

function isSidecar(container: Draft): boolean {
  return container['restartPolicy'] === 'Always';
}

function hasCondition(status: Draft, type: string): boolean {
  const condition = listOf(status['conditions']).find((entry) => entry['type'] === type);
  return condition?.['status'] === 'True';
}
