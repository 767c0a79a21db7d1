import { annotations, controlPlaneComponents } from '@hypershift-ts/hypershift-api';
import type { KubeObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  type batchv1,
  type corev1,
  findCondition,
  isAlreadyExists,
  isConditionTrue,
  isConflict,
  type OwnerReference,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { deleteIfPresent } from '@hypershift-ts/kube-controller';
import { applyDesired, isSettled, withHash } from './apply.ts';
import { type Component, isEnabled } from './component.ts';
import { type ComponentStatus, componentStatus } from './component-status.ts';
import { annotationOf, type ControlPlaneContext, desiredVersion } from './context.ts';
import { unmetDependencies } from './dependencies.ts';
import { missingInputs } from './inputs.ts';
import { withWritten } from './lookup.ts';
import { manifestObject, nameOf } from './manifest.ts';
import { pendingOperands } from './operands.ts';
import { isOnlyWording, type ReportPace } from './report-pace.ts';
import type { Recorder } from './settled.ts';
import { nextWorkload, workloadTypes } from './workload.ts';

/** What a component reports about one run. */
export interface ComponentOutcome {
  readonly name: string;
  /** `stale`: the informers were behind, nothing is known to be wrong, run again. */
  readonly state: 'disabled' | 'waiting' | 'applied' | 'failed' | 'stale';
  readonly unmet: readonly string[];
  readonly error?: Error;
}

export interface ComponentWriter {
  readonly client: Client;
  /** RFC3339, for transition times. */
  readonly now: () => string;
  /** Absent: every change is reported at once. */
  readonly pace?: ReportPace;
}

/** Brings one component to its desired state and writes its ControlPlaneComponent. Never throws: a failure is an outcome. */
export async function reconcileComponent(
  component: Component,
  context: ControlPlaneContext,
  writer: ComponentWriter,
): Promise<ComponentOutcome> {
  return reportComponent(component, context, writer, await applyComponent(component, context, writer));
}

/** What came of bringing a component to its desired state; not yet reported anywhere. */
export interface AppliedComponent {
  readonly state: ComponentOutcome['state'];
  readonly unmet: readonly string[];
  readonly error?: Error;
  /** The workload, when it was written just now and nobody can have acted on it yet. */
  readonly written?: KubeObject;
}

/** The objects a component keeps right by itself, read and told of apart from what it depends on. */
type OwnObjects = Pick<Recorder, 'peek' | 'left'>;

function unrecorded({ lookup }: ControlPlaneContext): OwnObjects {
  return { peek: (type, name) => lookup.get(type, name), left: () => {} };
}

/** Makes the objects of a component, or removes them, as far as its dependencies allow. */
export async function applyComponent(
  component: Component,
  context: ControlPlaneContext,
  writer: ComponentWriter,
  own = unrecorded(context),
): Promise<AppliedComponent> {
  let unmet: readonly string[] = [];
  try {
    if (!isEnabled(component, context)) {
      await remove(component, context, writer);
      return { state: 'disabled', unmet };
    }
    unmet = unmetDependencies(
      component,
      context,
      (other) => context.lookup.get(controlPlaneComponents, other),
      desiredVersion(context),
    );
    if (unmet.length > 0) return { state: 'waiting', unmet };
    const written = await apply(component, context, writer, own);
    return { state: 'applied', unmet, ...(written ? { written } : {}) };
  } catch (cause) {
    if (isConflict(cause) || isAlreadyExists(cause)) return { state: 'stale', unmet };
    return { state: 'failed', unmet, error: errorOf(cause) };
  }
}

/** Writes down how a component stands. A workload that was written just now will be heard of soon enough. */
export async function reportComponent(
  component: Component,
  context: ControlPlaneContext,
  writer: ComponentWriter,
  { state, unmet, error, written }: AppliedComponent,
): Promise<ComponentOutcome> {
  const { name } = component;
  if (state === 'disabled' || state === 'stale') return { name, state, unmet };
  try {
    const live = written ?? context.lookup.get(workloadTypes[component.kind], name);
    if (!written || !isKnownPending(context, name)) await report(component, context, writer, { live, unmet, error });
  } catch (cause) {
    if (isConflict(cause) || isAlreadyExists(cause)) return { name, state: 'stale', unmet };
    return { name, state: 'failed', unmet, error: error ?? errorOf(cause) };
  }
  return { name, state, unmet, ...(error ? { error } : {}) };
}

/** Whether it is on record already that the rollout is not complete, for the usual reasons. */
function isKnownPending({ lookup }: ControlPlaneContext, name: string): boolean {
  const { status } = lookup.get(controlPlaneComponents, name) ?? {};
  const rollout = findCondition(status?.conditions, 'RolloutComplete');
  return rollout?.status === 'False' && rollout.reason !== 'ReconciliationError';
}

/** Answers the workload when it was written, so that a status is never read from what it was before. */
async function apply(
  component: Component,
  context: ControlPlaneContext,
  writer: ComponentWriter,
  own: OwnObjects,
): Promise<KubeObject | undefined> {
  const written: KubeObject[] = [];
  for (const manifest of component.manifests) {
    const { type } = manifest;
    if (!context.management.serves(type)) continue;
    const name = nameOf(manifest, context);
    if (manifest.when && !manifest.when(context)) {
      const unwanted = context.lookup.get(type, name);
      if (unwanted) await removeObject(writer, type, unwanted);
      continue;
    }
    const live = own.peek(type, name) as UnstructuredObject | undefined;
    const object = manifestObject(manifest, context, live);
    const desired = component.outlivesControlPlane ? belonging(object, context) : owned(object, context);
    const applied = await applyDesired(writer.client, type, desired, live);
    own.left(type, name, applied.object);
    if (applied.operation !== 'unchanged') written.push(applied.object);
  }
  const fresh = { ...context, lookup: withWritten(context.lookup, written) };
  const live = own.peek(workloadTypes[component.kind], component.name);
  const desired = owned(nextWorkload(component, fresh, live), context);
  const missing = missingInputs(volumesOf(desired), fresh.lookup);
  if (missing.length > 0) {
    throw new Error(`${component.kind} ${component.name} is held back until ${missing.join(', ')} can be mounted`);
  }
  return applyWorkload(component, desired, live as UnstructuredObject | undefined, writer, own);
}

async function applyWorkload(
  component: Component,
  desired: UnstructuredObject,
  live: UnstructuredObject | undefined,
  writer: ComponentWriter,
  own: OwnObjects,
): Promise<KubeObject | undefined> {
  const type = workloadTypes[component.kind];
  if (component.kind === 'Job' && live) {
    own.left(type, component.name, live);
    // A Job cannot be changed, and a failed one never tries again: both are replaced once the old one is gone.
    if (live.metadata.deletionTimestamp || (isSettled(withHash(desired), live) && !hasFailed(live))) return undefined;
    await removeObject(writer, type, live);
    return undefined;
  }
  const { operation, object } = await applyDesired(writer.client, type, desired, live);
  own.left(type, component.name, object);
  return operation === 'unchanged' ? undefined : object;
}

function hasFailed(job: UnstructuredObject): boolean {
  return isConditionTrue((job as unknown as batchv1.Job).status?.conditions as never, 'Failed');
}

async function report(
  component: Component,
  context: ControlPlaneContext,
  { client, now, pace }: ComponentWriter,
  { live, unmet, error }: { live: KubeObject | undefined; unmet: readonly string[]; error: Error | undefined },
): Promise<void> {
  const { hcp, lookup, namespace } = context;
  const type = workloadTypes[component.kind];
  const version = desiredVersion(context);
  const known = lookup.get(controlPlaneComponents, component.name);
  const next = componentStatus(
    known?.status,
    {
      name: component.name,
      kind: component.kind,
      resource: `${type.resource}.${type.group}`,
      live,
      unmet,
      error,
      operands: component.operands ? pendingOperands(component.name, version, lookup) : undefined,
      version,
      generation: hcp.metadata.generation ?? 1,
      resources: resourcesOf(component, context),
    },
    now(),
  );
  if (known && known.status === next) return pace?.written(component.name);
  const object =
    known ??
    (await client.create(controlPlaneComponents, {
      metadata: { name: component.name, namespace, ownerReferences: [ownerOf(context)] },
      spec: {},
    }));
  if (pace && isOnlyWording(known?.status, next) && !pace.mayWrite(component.name, Date.parse(now()))) return undefined;
  pace?.written(component.name);
  await client.update(controlPlaneComponents, { ...object, status: next }, { subresource: 'status' });
  return undefined;
}

function resourcesOf(component: Component, context: ControlPlaneContext): ComponentStatus['resources'] {
  return component.manifests
    .filter(({ type, when }) => context.management.serves(type) && (when?.(context) ?? true))
    .map((manifest) => ({ group: manifest.type.group, kind: manifest.type.kind, name: nameOf(manifest, context) }));
}

/** Takes away everything a component that is not wanted (any more) has. Costs nothing when there is nothing. */
async function remove(component: Component, context: ControlPlaneContext, writer: ComponentWriter): Promise<void> {
  const types = [
    [workloadTypes[component.kind], component.name] as const,
    ...component.manifests.map((manifest) => [manifest.type, nameOf(manifest, context)] as const),
    [controlPlaneComponents, component.name] as const,
  ];
  for (const [type, name] of types) {
    const live = context.lookup.get(type, name);
    if (live) await removeObject(writer, type, live);
  }
}

async function removeObject(
  { client }: ComponentWriter,
  type: (typeof workloadTypes)['Job'],
  live: KubeObject,
): Promise<void> {
  const { name = '', namespace = '', uid } = live.metadata;
  await deleteIfPresent(
    client,
    type,
    { name, namespace },
    {
      live,
      propagationPolicy: 'Background',
      ...(uid ? { preconditions: { uid } } : {}),
    },
  );
}

/** With the annotation that leads from everything made for a cluster back to it. */
function belonging({ metadata, ...object }: UnstructuredObject, context: ControlPlaneContext): UnstructuredObject {
  const { key } = annotations.cluster;
  const cluster = annotationOf(context, key);
  const back = cluster ? { annotations: { ...metadata.annotations, [key]: cluster } } : {};
  return { ...object, metadata: { ...metadata, ...back } } as UnstructuredObject;
}

/** The same, with its owner. */
function owned(object: UnstructuredObject, context: ControlPlaneContext): UnstructuredObject {
  const { metadata, ...rest } = belonging(object, context);
  return { ...rest, metadata: { ...metadata, ownerReferences: [ownerOf(context)] } } as UnstructuredObject;
}

export function ownerOf({ hcp }: Pick<ControlPlaneContext, 'hcp'>): OwnerReference {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    name: hcp.metadata.name ?? '',
    uid: hcp.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

function volumesOf(workload: UnstructuredObject): readonly corev1.Volume[] {
  const spec = workload['spec'] as {
    template?: corev1.PodTemplateSpec;
    jobTemplate?: { spec: { template: corev1.PodTemplateSpec } };
  };
  return (spec.template ?? spec.jobTemplate?.spec.template)?.spec?.volumes ?? [];
}

function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
