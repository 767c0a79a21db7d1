import type { ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { isConditionTrue, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import {
  controller,
  controllerOf,
  controllerReference,
  ownersOfType,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';
import { type Environment, machineStore } from '../environment.ts';
import { bootstrapFacts, infraMachineFacts } from '../external/contract.ts';
import { takeOwnership } from '../external/ownership.ts';
import type { ObjectRef } from '../external/resource-types.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { nodeOf } from '../hosted/hosted-clusters.ts';
import { finalizers } from '../keys.ts';
import { isOutdated, revisionOf } from '../machine-deployment/revisions.ts';
import { differencesFrom } from '../machine-deployment/template-equality.ts';
import { isPaused, tellPaused } from '../paused.ts';
import { clusterOwner, ensureMembership, keyOfObject, writeStatus } from '../upkeep.ts';
import { deleteMachine } from './deletion/delete-machine.ts';
import { DrainWatches } from './deletion/drain-watches.ts';
import type { MachineFacts, NodeFacts } from './facts.ts';
import { markNode } from './node.ts';
import { externalChangeMatters, machineChangeMatters } from './changes.ts';
import { availableInMs, isInfrastructureReady, machineStatus } from './status.ts';

type Machine = capi.Machine;
type Cluster = capi.Cluster;

/** While the hosted cluster cannot be reached nothing tells us that it can again. */
const unreachableRetryMs = 10_000;

const missingRetryMs = 30_000;

/** A node that joins is written to by half a dozen controllers within a moment; its Machine looks once at all of that. */
const gatherNodeMs = 200;

/** How soon the cache is expected to have what was just written. */
const echoMs = 25;

const keyText = ({ metadata }: Machine): string => `${metadata.namespace}/${metadata.name}`;

/** Follows each Machine from its infrastructure to its Node, and takes it down in order. */
export function machineController(env: Environment): Controller {
  const { namespace, external, hosted } = env;
  const drains = new DrainWatches();
  /** The versions of Machines that were written here last. */
  const written = new Map<string, number>();

  function forget(key: ObjectKey): void {
    drains.end(key);
    written.delete(`${key.namespace}/${key.name}`);
  }

  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
    const { cache, client } = context;
    const found = machineStore(cache, namespace).informer.get(key);
    if (!found) return forget(key), undefined;
    // What was written last is on its way: judged by less, it would only be a conflict.
    if (Number(found.metadata.resourceVersion) < (written.get(keyText(found)) ?? 0)) return { requeueAfterMs: echoMs };
    const cluster = cache.get(capi.clusters, { namespace, name: found.spec.clusterName }, { namespace });
    if (isPaused(cluster, found)) return tellPaused(capi.machines, found, cluster, context);
    if (found.metadata.deletionTimestamp) return tearDown(found, cluster, context);
    if (!cluster) return undefined;
    const machine = await ensureMembership(client, capi.machines, found, found.spec.clusterName, {
      finalizer: finalizers.machine,
      ...(controllerOf(found) ? {} : { owner: clusterOwner(cluster) }),
    });
    return provision(machine, cluster, context);
  }

  async function provision(machine: Machine, cluster: Cluster, context: ReconcileContext): Promise<ReconcileResult> {
    const { client, clock } = context;
    const provided = await followProviders(machine, context);
    const placed = await place(machine, provided, context);
    const { outdated, ...line } = lineage(placed, context);
    const node = await findNode(placed, cluster, outdated, context);
    const facts: MachineFacts = { ...provided, node, ...line, nowMs: clock.now() };
    const status = machineStatus(placed, facts);
    if (status.nodeRef && !machine.status?.nodeRef) {
      context.events.normal(placed, 'SuccessfulSetNodeRef', status.nodeRef.name ?? '');
    }
    const told = await writeStatus(client, capi.machines, latestOf(placed, context), status);
    written.set(keyText(told), Number(told.metadata.resourceVersion));
    if (!node.known && node.reason === 'InspectionFailed') return { requeueAfterMs: unreachableRetryMs };
    // Not only the object may come: so may its kind, which nobody tells us of.
    if (!provided.infrastructure) return { requeueAfterMs: missingRetryMs };
    const wait = availableInMs(status, facts.minReadySeconds, clock.now());
    return wait === undefined ? undefined : { requeueAfterMs: wait };
  }

  /** Labels and the like that others wrote meanwhile do not stand in the way of a status. */
  function latestOf(machine: Machine, { cache }: ReconcileContext): Machine {
    const latest = machineStore(cache, namespace).informer.get(keyOfObject(machine));
    return latest && isSameButMetadata(machine, latest) ? latest : machine;
  }

  /** Reads what the providers say, and makes their objects the Machine's own. */
  async function followProviders(
    machine: Machine,
    context: ReconcileContext,
  ): Promise<Pick<MachineFacts, 'bootstrap' | 'bootstrapExists' | 'infrastructure'>> {
    const owned = async (ref: ObjectRef | undefined) => {
      if (!ref?.name) return undefined;
      const { type, object } = await external.find(ref, context.signal);
      if (!type || !object || machine.metadata.deletionTimestamp) return object;
      const owner = controllerReference(capi.machines, machine);
      const replaces = { kind: 'MachineSet' };
      return takeOwnership(context.client, type, object, owner, machine.spec.clusterName, replaces);
    };
    const bootstrap = await owned(machine.spec.bootstrap.configRef);
    const infrastructure = await owned(machine.spec.infrastructureRef);
    return {
      bootstrap: bootstrap && bootstrapFacts(bootstrap),
      bootstrapExists: bootstrap !== undefined,
      infrastructure: infrastructure && infraMachineFacts(infrastructure),
    };
  }

  /** What the providers decided becomes part of the Machine: its ID, its data Secret, its failure domain. */
  async function place(
    machine: Machine,
    facts: Pick<MachineFacts, 'bootstrap' | 'infrastructure'>,
    { client }: ReconcileContext,
  ): Promise<Machine> {
    const { infrastructure, bootstrap } = facts;
    const { providerID, failureDomain, bootstrap: given } = machine.spec;
    const ready = isInfrastructureReady(facts as MachineFacts);
    const spec = {
      ...(ready && infrastructure && infrastructure.providerID !== providerID
        ? { providerID: infrastructure.providerID }
        : {}),
      ...(ready && infrastructure?.failureDomain && !failureDomain
        ? { failureDomain: infrastructure.failureDomain }
        : {}),
      ...(bootstrap?.ready && bootstrap.dataSecretName && !given.dataSecretName
        ? { bootstrap: { dataSecretName: bootstrap.dataSecretName } }
        : {}),
    };
    if (Object.keys(spec).length === 0) return machine;
    return client.patch(capi.machines, keyOfObject(machine), { type: 'merge', body: { spec } });
  }

  async function findNode(
    machine: Machine,
    cluster: Cluster,
    outdated: boolean,
    context: ReconcileContext,
  ): Promise<NodeFacts> {
    if (!machine.spec.providerID) return { known: true, node: undefined };
    if (!isConditionTrue(cluster.status?.conditions, 'ControlPlaneInitialized')) {
      const message = 'Waiting for Cluster control plane to be initialized';
      return { known: false, reason: 'WaitingForControlPlaneInitialized', message };
    }
    const reached = await hosted.reach(cluster, context.signal);
    if (!reached) {
      const message = `Remote connection to Cluster ${cluster.metadata.name} is not established yet`;
      return { known: false, reason: 'InspectionFailed', message };
    }
    const node = nodeOf(reached, machine.spec.providerID);
    if (node && !node.metadata.deletionTimestamp) await markNode(reached.client, machine, node, outdated);
    return { known: true, node };
  }

  /** Whether the Machine is what its MachineDeployment wants now, and how long it must be ready to count. */
  function lineage(
    machine: Machine,
    { cache, clock }: ReconcileContext,
  ): Pick<MachineFacts, 'notUpToDate' | 'minReadySeconds'> & { readonly outdated: boolean } {
    const [setKey] = ownersOfType(machine, capi.machinesets);
    const set = setKey && cache.get(capi.machinesets, setKey, { namespace });
    const [deploymentKey] = set ? ownersOfType(set, capi.machinedeployments) : [];
    const deployment = deploymentKey && cache.get(capi.machinedeployments, deploymentKey, { namespace });
    return {
      notUpToDate: set && deployment && differencesFrom(deployment, set, clock.now()),
      outdated: set !== undefined && deployment !== undefined && isOutdated(set, deployment),
      minReadySeconds: set?.spec.minReadySeconds ?? 0,
    };
  }

  async function tearDown(
    machine: Machine,
    cluster: Cluster | undefined,
    context: ReconcileContext,
  ): Promise<ReconcileResult> {
    const { client, clock } = context;
    const deletion = await deleteMachine(machine, cluster, { env, context, drains });
    if (!deletion) {
      drains.end(keyOfObject(machine));
      await removeFinalizer(client, capi.machines, machine, finalizers.machine);
      return undefined;
    }
    const provided = await followProviders(machine, context);
    const node: NodeFacts = { known: false, reason: 'Deleting', message: 'the Machine is being deleted' };
    const { outdated: _, ...line } = lineage(machine, context);
    const facts: MachineFacts = { ...provided, node, ...line, deletion, nowMs: clock.now() };
    await writeStatus(client, capi.machines, machine, machineStatus(machine, facts));
    return deletion.requeueAfterMs === undefined ? undefined : { requeueAfterMs: deletion.requeueAfterMs };
  }

  const machinesOf = (machines: readonly Machine[]): readonly ObjectKey[] => machines.map(keyOfObject);
  const store = (cache: InformerCache) => machineStore(cache, namespace);

  return controller<Machine, [Cluster, capi.MachineDeployment, capi.MachineSet]>({
    name: 'machine',
    for: { type: capi.machines, namespace, predicate: { updated: machineChangeMatters } },
    watches: [
      {
        type: capi.clusters,
        namespace,
        predicate: { updated: clusterChangeMatters },
        map: ({ metadata }, { cache }) => machinesOf(store(cache).ofCluster(metadata.name ?? '')),
      },
      {
        type: capi.machinedeployments,
        namespace,
        predicate: {
          created: () => false,
          updated: (before, next) =>
            before.metadata.generation !== next.metadata.generation || revisionOf(before) !== revisionOf(next),
        },
        map: ({ metadata }, { cache }) => machinesOf(store(cache).ofDeployment(metadata.name ?? '')),
      },
      // Only read: the Machines of a set follow what its deployment says.
      {
        type: capi.machinesets,
        namespace,
        predicate: { created: () => false, updated: () => false, deleted: () => false },
        map: () => [],
      },
    ],
    sources: [
      (enqueue, { cache }) =>
        external.onChange((object, before) => {
          if (before && !externalChangeMatters(before, object)) return;
          const { kind, metadata } = object;
          for (const key of machinesOf(store(cache).referringTo({ kind, name: metadata.name ?? '' }))) enqueue(key);
        }),
      (enqueue, { cache }) =>
        hosted.onNode((clusterKey, { metadata, spec }, change) => {
          const clusterName = clusterKey.slice(clusterKey.indexOf('/') + 1);
          const node = { name: metadata.name ?? '', providerID: spec?.providerID ?? '' };
          for (const key of machinesOf(store(cache).ofNode(clusterName, node)))
            enqueue(key, change === 'updated' ? { afterMs: gatherNodeMs } : {});
        }),
      (enqueue) => drains.onPodGone(enqueue),
    ],
    concurrency: 50,
    reconcile,
  });
}

/** Whether a later version of a Machine has nothing new that its status is made from. */
function isSameButMetadata(machine: Machine, later: Machine): boolean {
  const { metadata: a } = machine;
  const { metadata: b } = later;
  return (
    Number(b.resourceVersion) > Number(a.resourceVersion) &&
    a.uid === b.uid &&
    a.generation === b.generation &&
    a.deletionTimestamp === b.deletionTimestamp &&
    jsonEqual(machine.status, later.status)
  );
}

/** Machines wait for the control plane, and stop or hurry when their cluster is paused or goes. */
function clusterChangeMatters(before: Cluster, next: Cluster): boolean {
  const shown = (cluster: Cluster) =>
    [
      isPaused(cluster, cluster),
      cluster.metadata.deletionTimestamp,
      isConditionTrue(cluster.status?.conditions, 'ControlPlaneInitialized'),
      cluster.status?.infrastructureReady,
    ].join();
  return shown(before) !== shown(next);
}
