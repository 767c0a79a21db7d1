/** The MachineDeployment of a pool whose machines are replaced. */
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import {
  belongsToPool,
  type MachineFacts,
  machineLabels,
  machineOwnerMeta,
  machineSpec,
  releaseVersionAnnotation,
} from './machine-template-spec.ts';
import { clusterNameLabel, interruptibleLabel, pausedAnnotation, resourcesName } from './names.ts';
import { autoscalerBounds, desiredReplicas } from './replicas.ts';

/** What it should be over what it is; null removes. */
export function desiredMachineDeployment(facts: MachineFacts, live: capiv1beta1.MachineDeployment | undefined): object {
  const { pool, cluster } = facts;
  const { replace } = pool.spec.management;
  const name = resourcesName(cluster, pool);
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineDeployment',
    metadata: {
      ...machineOwnerMeta(facts),
      annotations: {
        ...belongsToPool(pool),
        ...autoscalerBounds(pool, facts.canScaleFromZero),
        ...facts.capacity,
        [pausedAnnotation]: null,
      },
    },
    spec: {
      clusterName: cluster.spec.infraID ?? '',
      replicas: desiredReplicas(pool, live?.spec.replicas, facts.canScaleFromZero),
      selector: { matchLabels: { [clusterNameLabel]: cluster.spec.infraID ?? '', [name]: name } },
      strategy: {
        type: replace?.strategy ?? 'RollingUpdate',
        rollingUpdate: replace?.rollingUpdate
          ? {
              maxSurge: replace.rollingUpdate.maxSurge ?? null,
              maxUnavailable: replace.rollingUpdate.maxUnavailable ?? null,
            }
          : null,
      },
      template: {
        metadata: {
          labels: { [interruptibleLabel]: null, ...machineLabels(facts) },
          annotations: { ...belongsToPool(pool), [releaseVersionAnnotation]: facts.releaseVersion },
        },
        spec: machineSpec(live?.spec.template, facts),
      },
    },
  };
}

/** Whether every machine is of the wanted kind and available. */
export function isDeploymentComplete({ metadata, spec, status }: capiv1beta1.MachineDeployment): boolean {
  const wanted = spec.replicas ?? 0;
  const counts = [status?.updatedReplicas, status?.replicas, status?.availableReplicas];
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
  if (counts.some((count) => (count ?? 0) !== wanted)) return false;
  const newer = status?.v1beta2;
  // Where Cluster API counts by the newer conditions too, both must agree.
  return !newer || (newer.upToDateReplicas === wanted && newer.availableReplicas === wanted);
}
