import { jsonEqual, type KubeObject, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import {
  controller,
  controllerOf,
  controllerReference,
  deleteIfPresent,
  ownersOfType,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';
import { Expectations, selectorFor, slowStart } from '@hypershift-ts/kube-controllers';
import { type Environment, machineStore } from '../environment.ts';
import { takeOwnership } from '../external/ownership.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { annotations, finalizers } from '../keys.ts';
import { isRolledOut } from '../machine-deployment/template-equality.ts';
import { isPaused, tellPaused } from '../paused.ts';
import { clusterOwner, ensureMembership, keyOfObject, wishChanged, writeStatus } from '../upkeep.ts';
import { CreationError, createMachine, readTemplates } from './create.ts';
import { machinesToDelete } from './deletion-order.ts';
import { digestOf } from './machine-digest.ts';
import { newMachineName } from './names.ts';
import { propagateInPlace } from './propagate.ts';
import { remediate } from './remediation.ts';
import { availableAt, type CreationFailure, machineSetStatus } from './status.ts';

type MachineSet = capi.MachineSet;
type Machine = capi.Machine;

/** Machines created or deleted in one go; the rest follows in the next reconcile. */
const burst = 500;
const fallbackMs = 5_000;
/** Machines become ready by the hundred, and a set counts all of its own. */
const countMs = 250;

/** Keeps as many Machines as each MachineSet asks for. */
export function machineSetController(env: Environment): Controller {
  const { namespace, external } = env;
  const expectations = new Expectations();

  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
    const { cache, client, clock } = context;
    const id = `${key.namespace}/${key.name}`;
    const found = cache.get(capi.machinesets, key, { namespace });
    if (!found) return expectations.forget(id), undefined;
    const cluster = cache.get(capi.clusters, { namespace, name: found.spec.clusterName }, { namespace });
    if (isPaused(cluster, found)) return tellPaused(capi.machinesets, found, cluster, context);
    const store = machineStore(cache, namespace);
    if (!expectations.satisfied(id, store.informer)) return { requeueAfterMs: fallbackMs };
    if (found.metadata.deletionTimestamp) return tearDown(found, context);
    // A set without its cluster waits for it: nothing could be made of its Machines.
    if (!cluster) return undefined;
    const set = await ensureMembership(client, capi.machinesets, found, found.spec.clusterName, {
      finalizer: finalizers.machineSet,
      ...(controllerOf(found) ? {} : { owner: clusterOwner(cluster) }),
    });
    const owned = await propagateInPlace(set, await claim(set, context), external, context);
    const machines = await remediate(set, owned, deployedBy(set, cache), context);
    const { created, failure } = await scale(set, machines, context);
    if (!failure) await ownTemplates(set, cluster, context);
    const all = [...machines, ...created];
    const status = machineSetStatus(set, {
      machines: all,
      created: created.length,
      failure,
      upToDate: isUpToDate(set, context),
      nowMs: clock.now(),
    });
    await writeStatus(client, capi.machinesets, set, status);
    if (failure) throw new Error(failure.message);
    return nextLook(set, all, clock.now());
  }

  async function tearDown(set: MachineSet, context: ReconcileContext): Promise<ReconcileResult> {
    const machines = machineStore(context.cache, namespace).ofSet(set);
    const staying = machines.filter(({ metadata }) => !metadata.deletionTimestamp);
    await deleteMachines(set, staying.slice(0, burst), context);
    if (machines.length === 0) {
      await removeFinalizer(context.client, capi.machinesets, set, finalizers.machineSet);
      return undefined;
    }
    const facts = { machines, failure: undefined, upToDate: isUpToDate(set, context), nowMs: context.clock.now() };
    await writeStatus(context.client, capi.machinesets, set, machineSetStatus(set, facts));
    return undefined;
  }

  /** The set's own Machines and the orphans it adopts. */
  async function claim(set: MachineSet, { cache, client }: ReconcileContext): Promise<readonly Machine[]> {
    const store = machineStore(cache, namespace);
    const own = store.ofSet(set);
    const selector = selectorFor(set.spec.selector);
    const adoptable = store
      .orphansOf(set.spec.clusterName)
      .filter(({ metadata }) => !metadata.deletionTimestamp && selector.matches(metadata.labels));
    if (adoptable.length === 0 || selector.everything) return own;
    const owner = controllerReference(capi.machinesets, set);
    const adopted = await Promise.all(
      adoptable.map(async (machine) => {
        const { resourceVersion, ownerReferences = [] } = machine.metadata;
        const body = { metadata: { resourceVersion, ownerReferences: [...ownerReferences, owner] } };
        return client.patch(capi.machines, keyOfObject(machine), { type: 'merge', body });
      }),
    );
    for (const machine of adopted) expectations.created(`${namespace}/${set.metadata.name}`, machine);
    return [...own, ...adopted];
  }

  async function scale(
    set: MachineSet,
    machines: readonly Machine[],
    context: ReconcileContext,
  ): Promise<{ readonly created: readonly Machine[]; readonly failure: CreationFailure | undefined }> {
    const missing = (set.spec.replicas ?? 0) - machines.length;
    if (missing < 0) {
      const { deletePolicy = 'Random' } = set.spec;
      await deleteMachines(
        set,
        machinesToDelete(machines, Math.min(-missing, burst), deletePolicy, context.clock.now()),
        context,
      );
    }
    if (missing <= 0 || set.metadata.annotations?.[annotations.disableMachineCreate] === 'true') {
      return { created: [], failure: undefined };
    }
    return createMachines(set, Math.min(missing, burst), context);
  }

  async function createMachines(set: MachineSet, count: number, context: ReconcileContext) {
    const created: Machine[] = [];
    const { informer } = machineStore(context.cache, namespace);
    const id = `${namespace}/${set.metadata.name}`;
    try {
      const templates = await readTemplates(set, env, context);
      const names = new Set<string>();
      const taken = (name: string) => names.has(name) || informer.get({ namespace, name }) !== undefined;
      const { error } = await slowStart(count, async () => {
        const name = newMachineName(set, taken, env.random);
        names.add(name);
        const machine = await createMachine(set, name, templates, env, context);
        expectations.created(id, machine);
        created.push(machine);
        context.events.normal(set, 'SuccessfulCreate', `Created Machine "${name}"`);
      });
      if (error !== undefined) throw error;
      return { created, failure: undefined };
    } catch (error) {
      if (!(error instanceof CreationError)) throw error;
      context.events.warning(set, 'FailedCreate', error.message);
      return { created, failure: error.failure };
    }
  }

  async function deleteMachines(
    set: MachineSet,
    machines: readonly Machine[],
    context: ReconcileContext,
  ): Promise<void> {
    const id = `${namespace}/${set.metadata.name}`;
    const leaving = machines.filter(({ metadata }) => !metadata.deletionTimestamp);
    await Promise.all(
      leaving.map(async (machine) => {
        const { uid } = machine.metadata;
        const preconditions = uid ? { preconditions: { uid } } : {};
        await deleteIfPresent(context.client, capi.machines, keyOfObject(machine), preconditions);
        expectations.deleted(id, machine);
        context.events.normal(set, 'SuccessfulDelete', `Deleted Machine "${machine.metadata.name}"`);
      }),
    );
  }

  /** Templates go with the cluster that uses them. */
  async function ownTemplates(
    set: MachineSet,
    cluster: capi.Cluster,
    { client, signal }: ReconcileContext,
  ): Promise<void> {
    const { infrastructureRef, bootstrap } = set.spec.template?.spec ?? {};
    for (const ref of [infrastructureRef, bootstrap?.configRef]) {
      if (!ref) continue;
      const { type, object } = await external.find(ref, signal);
      if (type && object) await takeOwnership(client, type, object, clusterOwner(cluster), undefined);
    }
  }

  function deployedBy(set: MachineSet, cache: InformerCache): capi.MachineDeployment | undefined {
    const [owner] = ownersOfType(set, capi.machinedeployments);
    return owner && cache.get(capi.machinedeployments, owner, { namespace });
  }

  function isUpToDate(set: MachineSet, { cache, clock }: ReconcileContext): boolean | undefined {
    const deployment = deployedBy(set, cache);
    return deployment && isRolledOut(deployment, set, clock.now());
  }

  function keysOf(machine: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
    if (controllerOf(machine)) return ownersOfType(machine, capi.machinesets);
    if (machine.metadata.deletionTimestamp) return [];
    return cache
      .list(capi.machinesets, namespace, { namespace })
      .filter(({ spec }) => selectorFor(spec.selector).matches(machine.metadata.labels))
      .map(keyOfObject);
  }

  const setsOf = (test: (set: MachineSet) => boolean, cache: InformerCache) =>
    cache.list(capi.machinesets, namespace, { namespace }).filter(test).map(keyOfObject);

  return controller<MachineSet, [Machine, capi.Cluster, capi.MachineDeployment]>({
    name: 'machineset',
    for: { type: capi.machinesets, namespace, predicate: { updated: wishChanged } },
    watches: [
      {
        type: capi.machines,
        namespace,
        predicate: { updated: machineChangeMatters },
        gatherMsOf: (machine, before) => (before && comesOrGoes(before, machine) ? 0 : countMs),
        map: keysOf,
      },
      {
        type: capi.clusters,
        namespace,
        predicate: { updated: (before, next) => isPaused(before, before) !== isPaused(next, next) },
        map: (cluster, { cache }) => setsOf(({ spec }) => spec.clusterName === cluster.metadata.name, cache),
      },
      {
        type: capi.machinedeployments,
        namespace,
        predicate: { updated: (before, next) => before.metadata.generation !== next.metadata.generation },
        map: (deployment, { cache }) => setsOf((set) => controllerOf(set)?.uid === deployment.metadata.uid, cache),
      },
    ],
    sources: [
      (enqueue, { cache }) =>
        external.onChange(({ kind, metadata }) => {
          if (!kind.endsWith('Template')) return;
          const uses = ({ spec: { template } }: MachineSet) =>
            [template?.spec.infrastructureRef, template?.spec.bootstrap.configRef].some(
              (ref) => ref?.kind === kind && ref.name === metadata.name,
            );
          for (const key of setsOf(uses, cache)) enqueue(key);
        }),
    ],
    concurrency: 10,
    reconcile,
  });
}

/** A set looks at health, ownership and labels of its Machines; their addresses and phases do not concern it. */
function machineChangeMatters(before: Machine, next: Machine): boolean {
  return (
    digestOf(before).shown !== digestOf(next).shown ||
    before.metadata.generation !== next.metadata.generation ||
    before.metadata.labels !== next.metadata.labels ||
    before.metadata.annotations !== next.metadata.annotations ||
    before.metadata.ownerReferences !== next.metadata.ownerReferences
  );
}

function comesOrGoes({ metadata: a }: Machine, { metadata: b }: Machine): boolean {
  return a.deletionTimestamp !== b.deletionTimestamp || !jsonEqual(a.ownerReferences, b.ownerReferences);
}

/** Availability comes with time when machines must be ready for a while first. */
function nextLook(set: MachineSet, machines: readonly Machine[], nowMs: number): ReconcileResult {
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  if (minReadySeconds === 0) return undefined;
  let next = Number.POSITIVE_INFINITY;
  for (const machine of machines) {
    const at = availableAt(machine, minReadySeconds);
    if (at !== undefined && at > nowMs && at < next) next = at;
  }
  return Number.isFinite(next) ? { requeueAfterMs: next - nowMs } : undefined;
}
