import type { ObjectKey, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerReference, ensureFinalizer, removeFinalizer } from '@hypershift-ts/kube-controller';
import { type Environment, machineStore, refKey } from '../environment.ts';
import { type ControlPlaneFacts, controlPlaneFacts, type Endpoint, endpointOf } from '../external/contract.ts';
import type { ExternalObject } from '../external/external-objects.ts';
import { takeOwnership } from '../external/ownership.ts';
import type { ObjectRef } from '../external/resource-types.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { finalizers, labels } from '../keys.ts';
import { isPaused, tellPaused } from '../paused.ts';
import { keyOfObject, writeStatus } from '../upkeep.ts';
import { deleteCluster } from './deletion.ts';
import { type ClusterFacts, clusterStatus, isComplete } from './status.ts';

type Cluster = capi.Cluster;

/** The kind of a missing object may be missing too, and nobody tells us when it comes. */
const missingRetryMs = 30_000;

/** Follows the infrastructure and the control plane of each Cluster, and takes all of it down with the Cluster. */
export function clusterController(env: Environment): Controller {
  const { namespace, external, hosted } = env;

  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
    const { cache, client, clock } = context;
    const found = cache.get(capi.clusters, key, { namespace });
    if (!found) {
      await hosted.disconnect(`${key.namespace}/${key.name}`);
      return undefined;
    }
    if (isPaused(found, found)) return tellPaused(capi.clusters, found, found, context);
    if (found.metadata.deletionTimestamp) return tearDown(found, context);
    const cluster = await ensureFinalizer(client, capi.clusters, found, finalizers.cluster);
    const facts = await readFacts(cluster, context);
    const placed = await placeEndpoint(cluster, facts.endpoint, context);
    await writeStatus(client, capi.clusters, placed, clusterStatus(placed, facts, clock.now()));
    const { infrastructureRef, controlPlaneRef } = cluster.spec;
    const missing = (infrastructureRef && !facts.infrastructure) || (controlPlaneRef && !facts.controlPlane);
    return missing ? { requeueAfterMs: missingRetryMs } : undefined;
  }

  async function readFacts(
    cluster: Cluster,
    context: ReconcileContext,
  ): Promise<ClusterFacts & { readonly endpoint: Endpoint | undefined }> {
    const infrastructure = await owned(cluster, cluster.spec.infrastructureRef, context);
    const plane = await owned(cluster, cluster.spec.controlPlaneRef, context);
    const controlPlane: ControlPlaneFacts | undefined = plane?.object && controlPlaneFacts(plane.object);
    return {
      infrastructure,
      controlPlane,
      controlPlaneNode: !cluster.spec.controlPlaneRef && hasControlPlaneNode(cluster, context),
      endpoint: (infrastructure?.object && endpointOf(infrastructure.object)) ?? controlPlane?.endpoint,
    };
  }

  async function owned(
    cluster: Cluster,
    ref: ObjectRef | undefined,
    { client, signal }: ReconcileContext,
  ): Promise<ExternalObject | undefined> {
    if (!ref?.name) return undefined;
    const { type, object } = await external.find(ref, signal);
    if (!type || !object) return undefined;
    const owner = controllerReference(capi.clusters, cluster);
    return { type, object: await takeOwnership(client, type, object, owner, cluster.metadata.name ?? '') };
  }

  function hasControlPlaneNode(cluster: Cluster, { cache }: ReconcileContext): boolean {
    return machineStore(cache, namespace)
      .ofCluster(cluster.metadata.name ?? '')
      .some(({ metadata, status }) => metadata.labels?.[labels.controlPlane] !== undefined && status?.nodeRef);
  }

  async function tearDown(cluster: Cluster, context: ReconcileContext): Promise<ReconcileResult> {
    const waiting = await deleteCluster(cluster, env, context);
    if (waiting) {
      const plane = cluster.spec.controlPlaneRef && (await external.find(cluster.spec.controlPlaneRef, context.signal));
      const facts: ClusterFacts = {
        infrastructure: undefined,
        controlPlane: plane?.object && controlPlaneFacts(plane.object),
        controlPlaneNode: false,
        deleting: waiting,
      };
      await writeStatus(context.client, capi.clusters, cluster, clusterStatus(cluster, facts, context.clock.now()));
      return undefined;
    }
    await removeFinalizer(context.client, capi.clusters, cluster, finalizers.cluster);
    return undefined;
  }

  const clusterOf = ({ spec }: { readonly spec: { readonly clusterName: string } }): readonly ObjectKey[] => [
    { namespace, name: spec.clusterName },
  ];
  const gone = { created: () => false, updated: () => false };

  return controller<Cluster, [capi.MachineDeployment, capi.MachineSet, capi.Machine]>({
    name: 'cluster',
    for: { type: capi.clusters, namespace },
    watches: [
      { type: capi.machinedeployments, namespace, predicate: gone, map: clusterOf },
      { type: capi.machinesets, namespace, predicate: gone, map: clusterOf },
      {
        type: capi.machines,
        namespace,
        predicate: {
          created: () => false,
          updated: (before, next) =>
            next.metadata.labels?.[labels.controlPlane] !== undefined &&
            !before.status?.nodeRef &&
            !!next.status?.nodeRef,
        },
        map: clusterOf,
      },
    ],
    sources: [
      (enqueue, { cache }) =>
        external.onChange((object: UnstructuredObject) => {
          const changed = refKey({ kind: object.kind, name: object.metadata.name ?? '' });
          for (const cluster of cache.list(capi.clusters, namespace, { namespace })) {
            const { infrastructureRef, controlPlaneRef } = cluster.spec;
            const refs = [infrastructureRef, controlPlaneRef].map((ref) => ref && refKey(ref));
            if (refs.includes(changed)) enqueue(keyOfObject(cluster));
          }
        }),
    ],
    concurrency: 4,
    reconcile,
  });
}

/** Where the API server answers is written once, by whoever knows it first. */
async function placeEndpoint(
  cluster: Cluster,
  endpoint: Endpoint | undefined,
  { client }: ReconcileContext,
): Promise<Cluster> {
  if (!endpoint || isComplete(cluster.spec.controlPlaneEndpoint)) return cluster;
  return client.patch(capi.clusters, keyOfObject(cluster), {
    type: 'merge',
    body: { spec: { controlPlaneEndpoint: endpoint } },
  });
}
