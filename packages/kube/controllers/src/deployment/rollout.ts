import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps, errorMessage, isAlreadyExists, isNotFound, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { controllerOf } from '@hypershift-ts/kube-controller';
import { olderFirst } from '../workload/pod-state.ts';
import { writeStatus } from '../workload/status.ts';
import { hasDeadline, withCondition } from './progress.ts';
import { desiredNewSet, equalIgnoringHash, findNewSet } from './replica-sets.ts';
import { annotationNames, newSetAnnotations, nextRevision, revisionOf, sizeAnnotations } from './revision.ts';
import type { Resize } from './rolling-update.ts';
import { newSetSize } from './rolling-update.ts';
import { replicasOf } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;

/** The effects of one deployment's reconcile on its ReplicaSets. */
export class Rollout {
  /** As it was last read or written, so that a later write of this reconcile does not conflict with an earlier one. */
  deployment: Deployment;
  /** The deployment's revision changed here and waits for the next status to be written with. */
  private hasNewRevision = false;
  private readonly context: ReconcileContext;

  constructor(deployment: Deployment, context: ReconcileContext) {
    this.deployment = deployment;
    this.context = context;
  }

  /** The ReplicaSet of the present template, with revision and annotations as they should be; created if asked for. */
  async ensureNewSet(sets: readonly ReplicaSet[], create: boolean): Promise<ReplicaSet | undefined> {
    const { deployment } = this;
    const existing = findNewSet(deployment, sets);
    const revision = nextRevision(sets.filter((set) => set !== existing));
    if (existing) {
      const updated = await this.refresh(existing, revision);
      this.noteRevision(revisionOf(updated));
      return updated;
    }
    if (!create) return undefined;
    const created = await this.createSet(desiredNewSet(deployment, newSetSize(deployment, sets, 0), revision));
    this.noteRevision(revision);
    const { name } = created.metadata;
    if (replicasOf(created) > 0) {
      const message = `Scaled up replica set ${name} from 0 to ${replicasOf(created)}`;
      this.context.events.normal(deployment, 'ScalingReplicaSet', message);
    }
    return created;
  }

  /** Changes the size, tells about it, and writes down which size it was made for. */
  async resize({ set, to }: Resize): Promise<ReplicaSet> {
    const { deployment, context } = this;
    const from = replicasOf(set);
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
    if (from === to && jsonEqual(annotations, set.metadata.annotations ?? {})) return set;
    const updated = await context.client.update(apps.replicasets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas: to },
    });
    if (from !== to) {
      const direction = to > from ? 'up' : 'down';
      const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`;
      context.events.normal(deployment, 'ScalingReplicaSet', message);
    }
    return updated;
  }

  /** Forgets the oldest ReplicaSets nobody can need for a rollback any more. */
  async trimHistory(old: readonly ReplicaSet[]): Promise<void> {
    const { deployment, context } = this;
    const keep = deployment.spec.revisionHistoryLimit ?? 10;
    const idle = old.filter((set) => !set.metadata.deletionTimestamp);
    if (idle.length <= keep) return;
    const oldest = idle.sort((a, b) => revisionOf(a) - revisionOf(b) || olderFirst(a, b));
    for (const set of oldest.slice(0, idle.length - keep)) {
      const { namespace = '', name = '', uid } = set.metadata;
      if ((set.status?.replicas ?? 0) !== 0 || replicasOf(set) !== 0) continue;
      if ((set.metadata.generation ?? 0) > (set.status?.observedGeneration ?? 0)) continue;
      try {
        await context.client.delete(
          apps.replicasets,
          { namespace, name },
          { propagationPolicy: 'Background', ...(uid ? { preconditions: { uid } } : {}) },
        );
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  private async refresh(set: ReplicaSet, revision: number): Promise<ReplicaSet> {
    const { deployment } = this;
    const annotations = newSetAnnotations(deployment, set, Math.max(revision, revisionOf(set)));
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    // The size annotations belong to a resize, or a scaling would go unnoticed.
    const kept = { ...annotations };
    for (const name of [annotationNames.desiredReplicas, annotationNames.maxReplicas]) {
      const before = set.metadata.annotations?.[name];
      if (before !== undefined) kept[name] = before;
    }
    if (jsonEqual(kept, set.metadata.annotations ?? {}) && minReadySeconds === (set.spec.minReadySeconds ?? 0)) {
      return set;
    }
    return this.context.client.update(apps.replicasets, {
      ...set,
      metadata: { ...set.metadata, annotations: kept },
      spec: { ...set.spec, minReadySeconds },
    });
  }

  /** Writes the status when it or the revision is new; the status of a deployment takes its annotations along. */
  async writeStatus(status: appsv1.DeploymentStatus): Promise<void> {
    const { deployment, context } = this;
    const write = this.hasNewRevision
      ? context.client.update(apps.deployments, { ...deployment, status }, { subresource: 'status' })
      : writeStatus(context.client, apps.deployments, deployment, status);
    this.deployment = await write;
    this.hasNewRevision = false;
  }

  private noteRevision(revision: number): void {
    const { metadata } = this.deployment;
    if (metadata.annotations?.[annotationNames.revision] === String(revision)) return;
    const annotations = { ...metadata.annotations, [annotationNames.revision]: String(revision) };
    this.deployment = { ...this.deployment, metadata: { ...metadata, annotations } };
    this.hasNewRevision = true;
  }

  private async createSet(desired: ReturnType<typeof desiredNewSet>): Promise<ReplicaSet> {
    const { client, clock } = this.context;
    const { deployment } = this;
    const { namespace = '', name = '' } = desired.metadata;
    try {
      return await client.create(apps.replicasets, desired);
    } catch (error) {
      if (isAlreadyExists(error)) {
        const other = await client.get(apps.replicasets, { namespace, name });
        const ours = controllerOf(other)?.uid === deployment.metadata.uid;
        if (ours && other.spec.template && equalIgnoringHash(other.spec.template, deployment.spec.template))
          return other;
        // Two templates with one hash: count it, so that the next attempt gets another name.
        await this.patchStatus({ collisionCount: (deployment.status?.collisionCount ?? 0) + 1 });
        throw error;
      }
      if (hasDeadline(deployment)) {
        const message = `Failed to create new replica set "${name}": ${errorMessage(error)}`;
        const condition = { type: 'Progressing', status: 'False', reason: 'ReplicaSetCreateError', message };
        const conditions = withCondition(deployment.status?.conditions ?? [], condition, clock.now());
        await this.patchStatus({ conditions });
      }
      throw error;
    }
  }

  private async patchStatus(changes: Partial<appsv1.DeploymentStatus>): Promise<void> {
    await this.writeStatus({ ...this.deployment.status, ...changes });
  }
}
