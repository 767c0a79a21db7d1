import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { controllerOf, deleteIfPresent } from '@hypershift-ts/kube-controller';
import { type Environment, machineStore, ofCluster } from '../environment.ts';
import type { ObjectRef } from '../external/resource-types.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { keyOfObject } from '../upkeep.ts';

export interface Waiting {
  readonly reason: string;
  readonly message: string;
}

/** Takes the cluster down in order: workers, control plane, infrastructure. Answers what it waits for, if anything. */
export async function deleteCluster(
  cluster: capi.Cluster,
  env: Environment,
  context: ReconcileContext,
): Promise<Waiting | undefined> {
  return (
    (await deleteWorkers(cluster, env, context)) ??
    (await deleteExternal(cluster.spec.controlPlaneRef, 'WaitingForControlPlaneDeletion', env, context)) ??
    (await deleteExternal(cluster.spec.infrastructureRef, 'WaitingForInfrastructureDeletion', env, context))
  );
}

async function deleteWorkers(
  cluster: capi.Cluster,
  { namespace }: Environment,
  context: ReconcileContext,
): Promise<Waiting | undefined> {
  const { cache } = context;
  const name = cluster.metadata.name ?? '';
  const deployments = ofCluster(cache.list(capi.machinedeployments, namespace, { namespace }), name);
  const sets = ofCluster(cache.list(capi.machinesets, namespace, { namespace }), name);
  const machines = machineStore(cache, namespace).ofCluster(name);
  await deleteUncontrolled(capi.machinedeployments, deployments, context);
  await deleteUncontrolled(capi.machinesets, sets, context);
  await deleteUncontrolled(capi.machines, machines, context);
  const left = [...deployments, ...sets, ...machines];
  if (left.length === 0) return undefined;
  const names = left.slice(0, 5).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const more = left.length > names.length ? `, and ${left.length - names.length} more` : '';
  return { reason: 'WaitingForWorkersDeletion', message: `waiting for ${names.join(', ')}${more} to be deleted` };
}

/** What has a controller is deleted by that one, in its own order. */
async function deleteUncontrolled<T extends KubeObject>(
  type: ResourceType<T>,
  objects: readonly T[],
  { client }: ReconcileContext,
): Promise<void> {
  const ours = objects.filter((object) => !object.metadata.deletionTimestamp && !controllerOf(object));
  await Promise.all(ours.map((live) => deleteIfPresent(client, type, keyOfObject(live), { live })));
}

async function deleteExternal(
  ref: ObjectRef | undefined,
  reason: string,
  { external, namespace }: Environment,
  { client, signal }: ReconcileContext,
): Promise<Waiting | undefined> {
  if (!ref?.name) return undefined;
  const { type, object } = await external.find(ref, signal);
  if (!type || !object) return undefined;
  await deleteIfPresent(client, type, { namespace, name: ref.name }, { live: object });
  return { reason, message: `waiting for ${ref.kind} ${ref.name} to be deleted` };
}
