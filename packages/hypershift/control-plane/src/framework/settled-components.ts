import { type KubeObject, policyv1, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { annotations, type ControlPlaneComponent, controlPlaneComponents } from '@hypershift-ts/hypershift-api';
import type { Component } from './component.ts';
import type { ControlPlaneContext } from './context.ts';
import {
  type AppliedComponent,
  applyComponent,
  type ComponentOutcome,
  type ComponentWriter,
  reportComponent,
} from './reconcile.ts';
import { type Face, type Given, Settled } from './settled.ts';
import { workloadTypes } from './workload.ts';

/** Kinds whose generation tells whether anything but their status changed. */
const rolled: ReadonlySet<ResourceType<KubeObject>> = new Set([
  workloadTypes.Deployment,
  workloadTypes.StatefulSet,
  policyv1.poddisruptionbudgets,
]);

/** What making a workload depends on: everything but how it fares, and of other components only whether they are up. */
const shape: Face = (type, object) => {
  if (type === (controlPlaneComponents as ResourceType<KubeObject>)) return standing(object as ControlPlaneComponent);
  if (!rolled.has(type)) return object;
  const { uid, generation, labels, annotations: notes, deletionTimestamp } = object.metadata;
  return JSON.stringify([uid, generation, labels, notes?.[annotations.desiredStateHash.key], deletionTimestamp]);
};

/** What isSatisfied looks at; the words around it change many times while a control plane starts. */
function standing({ status }: ControlPlaneComponent): string {
  return JSON.stringify([status?.version, status?.conditions?.map(({ type, status: state }) => [type, state])]);
}

/**
 * Reconciles the components that have something to do. They are pure functions of the control plane and of what they
 * look up, so one that would look at the same things again is left alone; and one whose pods come and go is only
 * reported.
 */
export class SettledComponents {
  private readonly applied = new Settled();
  private readonly reported = new Settled();

  /** What came of a component that has nothing to do, without waiting for anybody. */
  recall({ name }: Component, given: Given): ComponentOutcome | undefined {
    const applied = this.applied.recall<AppliedComponent>(name, { ...given, face: shape });
    return applied && this.reported.recall<ComponentOutcome>(name, given)?.result;
  }

  /** The inputs stand for everything in the context besides the lookup. */
  async reconcile(
    component: Component,
    context: ControlPlaneContext,
    writer: ComponentWriter,
    given: Given,
  ): Promise<ComponentOutcome> {
    const { name } = component;
    const applied = await this.applied.once<AppliedComponent>(name, { ...given, face: shape }, async (lookup) => ({
      result: await applyComponent(component, { ...context, lookup }, writer, lookup),
    }));
    const { state } = applied.result;
    if (state === 'failed' || state === 'stale') this.applied.forget(name);
    if (applied.ran) this.reported.forget(name);
    // Remembered without the workload: it was news only in the pass that wrote it.
    const { written, ...rest } = applied.result;
    const isNews = applied.ran && written !== undefined;
    const news = isNews ? { ...rest, written } : rest;
    const { result } = await this.reported.once<ComponentOutcome>(name, given, async (lookup) => {
      const outcome = await reportComponent(component, { ...context, lookup }, writer, news);
      // What is held back is said later, although nothing changes until then.
      const due = writer.pace?.dueAt(name);
      return { result: outcome, ...(due === undefined ? {} : { until: due }) };
    });
    // Of a workload that was written just now it is not known yet how it fares.
    if (isNews || result.state === 'failed' || result.state === 'stale') this.reported.forget(name);
    return result;
  }
}
