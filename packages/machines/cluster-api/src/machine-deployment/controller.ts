import type { KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import {
  applyIfChanged,
  controller,
  controllerOf,
  controllerReference,
  deleteIfPresent,
  ownersOfType,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';
import { Expectations, selectorFor } from '@hypershift-ts/kube-controllers';
import type { Environment } from '../environment.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { annotations, finalizers } from '../keys.ts';
import { isPaused, tellPaused } from '../paused.ts';
import { clusterOwner, ensureMembership, keyOfObject, wishChanged, writeStatus } from '../upkeep.ts';
import { desiredMachineSet, identityOf, newIdentity, oldSetPatch } from './desired-set.ts';
import { existing, isOnDelete, olderFirst, replicasOf } from './limits.ts';
import { onDeletePlan } from './on-delete.ts';
import { proportionalPlan } from './proportional-scaling.ts';
import { findNewSet, nextRevision } from './revisions.ts';
import { type Plan, rollingPlan } from './rolling-update.ts';
import { isComplete, machineDeploymentStatus } from './status.ts';

type MachineDeployment = capi.MachineDeployment;
type MachineSet = capi.MachineSet;

const fieldManager = 'capi-machinedeployment';
const fallbackMs = 5_000;

/** Rolls MachineSets forward as each MachineDeployment asks. */
export function machineDeploymentController(env: Environment): Controller {
  const { namespace } = env;
  const expectations = new Expectations();

  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
    const { cache, client, clock } = context;
    const id = `${key.namespace}/${key.name}`;
    const found = cache.get(capi.machinedeployments, key, { namespace });
    if (!found) return expectations.forget(id), undefined;
    const cluster = cache.get(capi.clusters, { namespace, name: found.spec.clusterName }, { namespace });
    if (isPaused(cluster, found)) return tellPaused(capi.machinedeployments, found, cluster, context);
    if (!expectations.satisfied(id, cache.informer(capi.machinesets, { namespace }))) {
      return { requeueAfterMs: fallbackMs };
    }
    if (found.metadata.deletionTimestamp) return tearDown(found, context);
    if (!cluster) return undefined;
    const deployment = await ensureMembership(client, capi.machinedeployments, found, found.spec.clusterName, {
      finalizer: finalizers.machineDeployment,
      owner: clusterOwner(cluster),
    });
    const sets = await claim(deployment, context);
    const { newSet, old } = deployment.spec.paused
      ? await scaleOnly(deployment, sets, context)
      : await rollOut(deployment, sets, context);
    const status = machineDeploymentStatus(deployment, newSet, old, clock.now());
    await writeStatus(client, capi.machinedeployments, deployment, status);
    if (!deployment.spec.paused && isComplete(deployment, status)) await forgetOld(deployment, old, context);
    return untilRollout(deployment, clock.now());
  }

  async function rollOut(deployment: MachineDeployment, sets: readonly MachineSet[], context: ReconcileContext) {
    const found = findNewSet(deployment, sets, context.clock.now());
    const older = sets.filter((set) => set !== found);
    const revision = nextRevision(found, older);
    const marked = await markRevision(deployment, revision.revision, context);
    const identity = found ? identityOf(found) : newIdentity(deployment, env.random);
    const create = () =>
      applySet(marked, desiredMachineSet(marked, { identity, replicas: 0, ...revision }), undefined, context);
    const newSet = found ?? (await create());
    const plan = isOnDelete(marked) ? onDeletePlan(marked, newSet, older) : rollingPlan(marked, newSet, older);
    const replicas = plan.get(newSet) ?? replicasOf(newSet);
    const wanted = desiredMachineSet(marked, { identity, replicas, ...revision });
    return {
      newSet: await applySet(marked, wanted, newSet, context),
      old: await resizeOld(marked, older, plan, context),
    };
  }

  async function scaleOnly(deployment: MachineDeployment, sets: readonly MachineSet[], context: ReconcileContext) {
    const newSet = findNewSet(deployment, sets, context.clock.now());
    const resized = await resizeOld(deployment, sets, proportionalPlan(deployment, sets), context);
    const current = resized.find((set) => set.metadata.uid === newSet?.metadata.uid);
    return { newSet: current, old: resized.filter((set) => set !== current) };
  }

  async function applySet(
    deployment: MachineDeployment,
    desired: ReturnType<typeof desiredMachineSet>,
    live: MachineSet | undefined,
    context: ReconcileContext,
  ): Promise<MachineSet> {
    const { object, operation } = await applyIfChanged(context.client, capi.machinesets, desired, {
      fieldManager,
      live: live ?? null,
    });
    if (operation === 'unchanged') return object;
    remember(deployment, object);
    if (operation === 'created') {
      const message = `Created MachineSet ${namespace}/${object.metadata.name} with ${replicasOf(object)} replicas`;
      context.events.normal(deployment, 'SuccessfulCreate', message);
    } else if (live) tellResize(deployment, live, object, context);
    return object;
  }

  async function resizeOld(
    deployment: MachineDeployment,
    sets: readonly MachineSet[],
    plan: Plan,
    context: ReconcileContext,
  ): Promise<readonly MachineSet[]> {
    const resized: MachineSet[] = [];
    for (const set of sets) {
      const { resourceVersion, deletionTimestamp } = set.metadata;
      const body = oldSetPatch(deployment, set, plan.get(set) ?? replicasOf(set), !isOnDelete(deployment));
      if (Object.keys(body).length === 0 || deletionTimestamp) {
        resized.push(set);
        continue;
      }
      const metadata = { ...(body as { metadata?: object }).metadata, resourceVersion };
      const next = await context.client.patch(capi.machinesets, keyOfObject(set), {
        type: 'merge',
        body: { ...body, metadata },
      });
      remember(deployment, next);
      tellResize(deployment, set, next, context);
      resized.push(next);
    }
    return resized;
  }

  /** Until the cache has seen this version of a set, its size there is out of date and nothing may be decided on it. */
  function remember(deployment: MachineDeployment, set: MachineSet): void {
    expectations.created(`${namespace}/${deployment.metadata.name}`, set);
  }

  async function tearDown(deployment: MachineDeployment, context: ReconcileContext): Promise<ReconcileResult> {
    const sets = ownSets(deployment, context.cache);
    await Promise.all(
      sets.map((live) => deleteIfPresent(context.client, capi.machinesets, keyOfObject(live), { live })),
    );
    if (sets.length > 0) {
      const newSet = findNewSet(deployment, sets, context.clock.now());
      const status = machineDeploymentStatus(
        deployment,
        newSet,
        sets.filter((set) => set !== newSet),
        context.clock.now(),
      );
      await writeStatus(context.client, capi.machinedeployments, deployment, status);
      return undefined;
    }
    await removeFinalizer(context.client, capi.machinedeployments, deployment, finalizers.machineDeployment);
    return undefined;
  }

  function ownSets(deployment: MachineDeployment, cache: InformerCache): readonly MachineSet[] {
    const { uid = '' } = deployment.metadata;
    return cache
      .informer(capi.machinesets, { namespace })
      .ownedBy(uid)
      .filter((set) => controllerOf(set)?.uid === uid);
  }

  /** The deployment's own sets and the orphans it adopts. */
  async function claim(
    deployment: MachineDeployment,
    { cache, client }: ReconcileContext,
  ): Promise<readonly MachineSet[]> {
    const own = ownSets(deployment, cache);
    const selector = selectorFor(deployment.spec.selector);
    if (selector.everything || selector.nothing) return own;
    const adoptable = cache
      .list(capi.machinesets, namespace, { namespace })
      .filter(
        (set) =>
          !controllerOf(set) &&
          !set.metadata.deletionTimestamp &&
          set.spec.clusterName === deployment.spec.clusterName &&
          selector.matches(set.metadata.labels),
      );
    const adopted: MachineSet[] = [];
    for (const set of adoptable) {
      const { resourceVersion, ownerReferences = [] } = set.metadata;
      const owner = controllerReference(capi.machinedeployments, deployment);
      const body = { metadata: { resourceVersion, ownerReferences: [...ownerReferences, owner] } };
      adopted.push(await client.patch(capi.machinesets, keyOfObject(set), { type: 'merge', body }));
    }
    for (const set of adopted) remember(deployment, set);
    return [...own, ...adopted];
  }

  const deploymentsOf = (test: (deployment: MachineDeployment) => boolean, cache: InformerCache) =>
    cache.list(capi.machinedeployments, namespace, { namespace }).filter(test).map(keyOfObject);

  function keysOf(set: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
    if (controllerOf(set)) return ownersOfType(set, capi.machinedeployments);
    return deploymentsOf(({ spec }) => selectorFor(spec.selector).matches(set.metadata.labels), cache);
  }

  return controller<MachineDeployment, [MachineSet, capi.Cluster]>({
    name: 'machinedeployment',
    for: { type: capi.machinedeployments, namespace, predicate: { updated: wishChanged } },
    watches: [
      { type: capi.machinesets, namespace, map: keysOf },
      {
        type: capi.clusters,
        namespace,
        predicate: { updated: (before, next) => isPaused(before, before) !== isPaused(next, next) },
        map: (cluster, { cache }) => deploymentsOf(({ spec }) => spec.clusterName === cluster.metadata.name, cache),
      },
    ],
    concurrency: 10,
    reconcile,
  });
}

async function markRevision(
  deployment: MachineDeployment,
  revision: string,
  { client }: ReconcileContext,
): Promise<MachineDeployment> {
  if (deployment.metadata.annotations?.[annotations.revision] === revision) return deployment;
  const body = { metadata: { annotations: { [annotations.revision]: revision } } };
  return client.patch(capi.machinedeployments, keyOfObject(deployment), { type: 'merge', body });
}

function tellResize(
  deployment: MachineDeployment,
  before: MachineSet,
  after: MachineSet,
  { events }: ReconcileContext,
): void {
  const [from, to] = [replicasOf(before), replicasOf(after)];
  if (from === to) return;
  const direction = to > from ? 'up' : 'down';
  const message = `Scaled ${direction} MachineSet ${after.metadata.name}: ${from} -> ${to}`;
  events.normal(deployment, 'SuccessfulScale', message);
}

/** Sets of older revisions without machines are kept as far as the history goes, the newest of them. */
async function forgetOld(
  deployment: MachineDeployment,
  old: readonly MachineSet[],
  { client, events }: ReconcileContext,
): Promise<void> {
  const kept = deployment.spec.revisionHistoryLimit ?? 0;
  const idle = old.filter((set) => replicasOf(set) === 0 && existing(set) === 0 && !set.metadata.deletionTimestamp);
  const surplus = [...idle].sort(olderFirst).slice(0, Math.max(idle.length - kept, 0));
  for (const live of surplus) {
    await deleteIfPresent(client, capi.machinesets, keyOfObject(live), { live });
    events.normal(deployment, 'SuccessfulDelete', `Deleted MachineSet "${live.metadata.name}"`);
  }
}

/** A rollout asked for at a time to come begins by itself. */
function untilRollout({ spec }: MachineDeployment, nowMs: number): ReconcileResult {
  const at = spec.rolloutAfter ? Date.parse(spec.rolloutAfter) : Number.NaN;
  return at > nowMs ? { requeueAfterMs: at - nowMs } : undefined;
}
