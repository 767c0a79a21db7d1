/** The MachineSet of a pool whose machines are updated in place. */
import { annotations, type NodePool } from '@hypershift-ts/hypershift-api';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import {
  belongsToPool,
  type MachineFacts,
  machineLabels,
  machineOwnerMeta,
  machineSpec,
  nodeLabels,
  removed,
  taintsJson,
} from './machine-template-spec.ts';
import { interruptibleLabel, managedLabelPrefix, pausedAnnotation, resourcesName } from './names.ts';
import { autoscalerBounds, desiredReplicas } from './replicas.ts';

/** How many machines may be updated at once: a share rounds down, and it is at least one. */
export function maxUnavailable({ spec }: NodePool, replicas: number): number {
  const wanted = spec.management.inPlace?.maxUnavailable ?? 1;
  if (typeof wanted === 'number') return Math.max(1, wanted);
  const percent = Number.parseInt(wanted, 10);
  return Math.max(1, Number.isNaN(percent) ? 1 : Math.floor((percent / 100) * replicas));
}

/** The hash that machines should be updated to and, on a set without machines so far, the one they begin with. */
function updateTargets(live: capiv1beta1.MachineSet | undefined, hash: string): { [key: string]: string } {
  const current = annotations.nodePoolCurrentConfigVersion.key;
  return {
    [annotations.nodePoolTargetConfigVersion.key]: hash,
    ...(live?.metadata.annotations?.[current] === undefined ? { [current]: hash } : {}),
  };
}

/** What it should be over what it is; null removes. */
export function desiredMachineSet(facts: MachineFacts, live: capiv1beta1.MachineSet | undefined): object {
  const { pool, cluster, hash, canScaleFromZero } = facts;
  const name = resourcesName(cluster, pool);
  const replicas = desiredReplicas(pool, live?.spec.replicas, canScaleFromZero);
  const labels = { ...machineLabels(facts), ...nodeLabels(pool) };
  const isOurs = (key: string) => key.startsWith(managedLabelPrefix) || key === interruptibleLabel;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineSet',
    metadata: {
      ...machineOwnerMeta(facts),
      annotations: {
        ...belongsToPool(pool),
        ...autoscalerBounds(pool, canScaleFromZero),
        ...facts.capacity,
        ...updateTargets(live, hash),
        [annotations.nodePoolMaxUnavailable.key]: String(maxUnavailable(pool, replicas)),
        [pausedAnnotation]: null,
      },
    },
    spec: {
      clusterName: cluster.spec.infraID ?? '',
      replicas,
      selector: { matchLabels: { [name]: name } },
      template: {
        metadata: {
          labels: { ...removed(live?.spec.template?.metadata?.labels, labels, isOurs), ...labels },
          annotations: { ...belongsToPool(pool), [annotations.nodePoolTaints.key]: taintsJson(pool) },
        },
        spec: machineSpec(live?.spec.template, facts),
      },
    },
  };
}

/** Whether every machine was brought to the wanted configuration. */
export function isSetComplete({ metadata }: capiv1beta1.MachineSet): boolean {
  const target = metadata.annotations?.[annotations.nodePoolTargetConfigVersion.key];
  return target !== undefined && target === metadata.annotations?.[annotations.nodePoolCurrentConfigVersion.key];
}
