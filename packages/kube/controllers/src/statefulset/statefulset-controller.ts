import type { appsv1, corev1, KubeObject, LabelSelector, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import {
  appsv1 as apps,
  corev1 as core,
  errorMessage,
  isAlreadyExists,
  isNotFound,
  jsonEqual,
} from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerOf, ownersOfType } from '@hypershift-ts/kube-controller';
import { ensureRevision, RevisionCollision, revisionsOf, templateOf, trimRevisions } from '../history/revisions.ts';
import { claim } from '../workload/claim.ts';
import { isNamespaceTerminating } from '../workload/pod-control.ts';
import { nextAvailableIn } from '../workload/pod-state.ts';
import { selectorFor } from '../workload/selectors.ts';
import { writeStatus } from '../workload/status.ts';
import { claimFor, claimName, claimOwners, ordinalOf, podFor } from './identity.ts';
import type { SetFacts, Step } from './plan.ts';
import { condemnedPods, planSteps, revisionOf, slots } from './plan.ts';
import { setStatus } from './set-status.ts';

type StatefulSet = appsv1.StatefulSet;
type Pod = corev1.Pod;

async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { cache, client, clock } = context;
  const set = cache.get(apps.statefulsets, key);
  if (!set) return undefined;
  const informer = cache.informer(core.pods);
  const selector = selectorFor(set.spec.selector as LabelSelector);
  const claimed = await claim(
    client,
    { type: apps.statefulsets, object: set },
    { type: core.pods, informer },
    selector,
  );
  const pods = claimed.filter((pod) => ordinalOf(set, pod) !== undefined);
  const revisions = revisionsOf(cache, set);
  const update = await updateRevision(set, revisions, context);
  const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  const facts: SetFacts = {
    set,
    pods,
    currentRevision: current.metadata.name ?? '',
    updateRevision: update.metadata.name ?? '',
    now: clock.now(),
  };
  if (!set.metadata.deletionTimestamp) {
    const template = { current: templateOf(current) ?? set.spec.template, update: set.spec.template };
    await ensureClaims(facts, context);
    for (const step of planSteps(facts)) await carryOut(step, facts, template, context);
    const inUse = new Set([facts.currentRevision, facts.updateRevision, ...pods.map(revisionOf)]);
    await trimRevisions(client, revisions, inUse, set.spec.revisionHistoryLimit ?? 10);
  }
  await writeStatus(client, apps.statefulsets, set, setStatus(facts, set.status?.collisionCount));
  const wait = nextAvailableIn(pods, set.spec.minReadySeconds ?? 0, clock.now());
  return wait === undefined ? undefined : { requeueAfterMs: wait };
}

async function updateRevision(
  set: StatefulSet,
  revisions: readonly appsv1.ControllerRevision[],
  { client }: ReconcileContext,
): Promise<appsv1.ControllerRevision> {
  const { collisionCount } = set.status ?? {};
  const owner = { type: apps.statefulsets, object: set, template: set.spec.template, collisionCount };
  try {
    return await ensureRevision(client, owner, revisions);
  } catch (error) {
    if (error instanceof RevisionCollision) {
      const status = { replicas: 0, ...set.status, collisionCount: (collisionCount ?? 0) + 1 };
      await writeStatus(client, apps.statefulsets, set, status);
    }
    throw error;
  }
}

async function carryOut(
  step: Step,
  { set, currentRevision, updateRevision: latest }: SetFacts,
  templates: Readonly<Record<'current' | 'update', corev1.PodTemplateSpec>>,
  context: ReconcileContext,
): Promise<void> {
  const { client, events } = context;
  const kind = `in StatefulSet ${set.metadata.name}`;
  if (step.do === 'create') {
    const revision = step.revision === 'current' ? currentRevision : latest;
    const pod = podFor(set, templates[step.revision], revision, step.ordinal);
    try {
      await createClaims(set, step.ordinal, context);
      await client.create(core.pods, pod);
      events.normal(set, 'SuccessfulCreate', `create Pod ${pod.metadata.name} ${kind} successful`);
    } catch (error) {
      // There already, only not in the cache yet; or one of that name still has to go.
      if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
      events.warning(
        set,
        'FailedCreate',
        `create Pod ${pod.metadata.name} ${kind} failed error: ${errorMessage(error)}`,
      );
      throw error;
    }
    return;
  }
  const { namespace = '', name = '', uid } = step.pod.metadata;
  if (step.why) {
    const word = step.why === 'Failed' ? 'failed' : 'terminated';
    events.warning(
      set,
      `Recreating${step.why}Pod`,
      `StatefulSet ${namespace}/${set.metadata.name} is recreating ${word} Pod ${name}`,
    );
  }
  try {
    await client.delete(core.pods, { namespace, name }, uid ? { preconditions: { uid } } : {});
    events.normal(set, 'SuccessfulDelete', `delete Pod ${name} ${kind} successful`);
  } catch (error) {
    if (isNotFound(error)) return;
    events.warning(set, 'FailedDelete', `delete Pod ${name} ${kind} failed error: ${errorMessage(error)}`);
    throw error;
  }
}

async function createClaims(
  set: StatefulSet,
  ordinal: number,
  { client, cache, events }: ReconcileContext,
): Promise<void> {
  const namespace = set.metadata.namespace ?? '';
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const name = claimName(set, template, ordinal);
    if (cache.get(core.persistentvolumeclaims, { namespace, name })) continue;
    const what = `create Claim ${name} Pod ${set.metadata.name}-${ordinal} in StatefulSet ${set.metadata.name}`;
    try {
      await client.create(core.persistentvolumeclaims, claimFor(set, template, ordinal));
      events.normal(set, 'SuccessfulCreate', `${what} success`);
    } catch (error) {
      if (isAlreadyExists(error)) continue;
      events.warning(set, 'FailedCreate', `${what} failed error: ${errorMessage(error)}`);
      throw error;
    }
  }
}

/** Claims that pods lack are made again, and their owners follow the retention policy. */
async function ensureClaims(facts: SetFacts, context: ReconcileContext): Promise<void> {
  const { set } = facts;
  if (!set.spec.volumeClaimTemplates?.length) return;
  for (const [ordinal, pod] of slots(facts)) {
    if (pod?.status?.phase === 'Pending') await createClaims(set, ordinal, context);
    await ownClaims(set, ordinal, undefined, context);
  }
  for (const pod of condemnedPods(facts)) await ownClaims(set, ordinalOf(set, pod) ?? 0, pod, context);
}

async function ownClaims(
  set: StatefulSet,
  ordinal: number,
  condemned: Pod | undefined,
  { cache, client }: ReconcileContext,
): Promise<void> {
  const namespace = set.metadata.namespace ?? '';
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const live = cache.get(core.persistentvolumeclaims, { namespace, name: claimName(set, template, ordinal) });
    if (!live || live.metadata.deletionTimestamp) continue;
    const ownerReferences = claimOwners(set, live, condemned);
    if (jsonEqual(ownerReferences, live.metadata.ownerReferences ?? [])) continue;
    await client.update(core.persistentvolumeclaims, { ...live, metadata: { ...live.metadata, ownerReferences } });
  }
}

function keysOf(pod: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  if (controllerOf(pod)) return ownersOfType(pod, apps.statefulsets);
  const { namespace = '', labels } = pod.metadata;
  return cache
    .informer(apps.statefulsets)
    .list(namespace)
    .filter(({ spec }) => selectorFor(spec.selector as LabelSelector).matches(labels))
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** Keeps numbered pods with their own storage, one after another where order matters. */
export const statefulSetController = controller<StatefulSet, [Pod, KubeObject, KubeObject]>({
  name: 'statefulset-controller',
  for: apps.statefulsets,
  watches: [
    { type: core.pods, map: keysOf },
    { type: apps.controllerrevisions, map: (object) => ownersOfType(object, apps.statefulsets) },
    // Only read, to know which claims are there.
    { type: core.persistentvolumeclaims, predicate: nothing(), map: () => [] },
  ],
  concurrency: 5,
  reconcile,
});

function nothing() {
  return { created: () => false, updated: () => false, deleted: () => false };
}
