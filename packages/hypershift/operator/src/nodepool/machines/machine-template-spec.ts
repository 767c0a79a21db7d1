import { annotations, type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import { userDataSecretName } from '@hypershift-ts/hypershift-ignition';
import {
  apiVersionOf,
  goDurationText,
  type KubeObject,
  parseGoDuration,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { belongsToPool, clusterNameLabel, interruptibleLabel, managedLabelPrefix, resourcesName } from './names.ts';

/** What the machines of a pool are made from. */
export interface MachineFacts {
  readonly pool: NodePool;
  readonly cluster: HostedCluster;
  readonly namespace: string;
  readonly hash: string;
  readonly releaseVersion: string;
  readonly template: { readonly type: ResourceType<KubeObject>; readonly name: string };
  readonly failureDomain: string | undefined;
  readonly isInterruptible: boolean;
  /** Something can tell the autoscaler what a machine would be like before there is one. */
  readonly canScaleFromZero: boolean;
  /** What the autoscaler is told about machines that do not exist yet. */
  readonly capacity: { readonly [key: string]: string | null };
}

type MachineTemplate = capiv1beta1.MachineSetSpecTemplate;

/** A duration as Go writes it, whatever the user wrote; null when there is none. */
function duration(text: string | undefined): string | null {
  const ms = parseGoDuration(text);
  return ms === undefined ? null : goDurationText(ms);
}

/** The version counts only together with its configuration: it must not move nodes by itself. */
function versionOf(live: MachineTemplate | undefined, facts: MachineFacts, dataSecretName: string): string {
  const isSame = live?.spec.bootstrap.dataSecretName === dataSecretName;
  return isSame && live.spec.version !== undefined ? live.spec.version : facts.releaseVersion;
}

/** `spec` of a Machine in the pool's template. */
export function machineSpec(live: MachineTemplate | undefined, facts: MachineFacts): object {
  const { pool, cluster, namespace, hash, template } = facts;
  const dataSecretName = userDataSecretName(pool.metadata.name ?? '', hash);
  return {
    clusterName: cluster.spec.infraID ?? '',
    bootstrap: { dataSecretName },
    infrastructureRef: {
      apiVersion: apiVersionOf(template.type),
      kind: template.type.kind,
      namespace,
      name: template.name,
    },
    version: versionOf(live, facts, dataSecretName),
    nodeDrainTimeout: duration(pool.spec.nodeDrainTimeout),
    nodeVolumeDetachTimeout: duration(pool.spec.nodeVolumeDetachTimeout),
    failureDomain: facts.failureDomain ?? null,
  };
}

/** Labels of the machines of a pool, without those that nodes get. */
export function machineLabels({ pool, cluster, isInterruptible }: MachineFacts): { [key: string]: string } {
  const name = resourcesName(cluster, pool);
  return {
    [clusterNameLabel]: cluster.spec.infraID ?? '',
    [name]: name,
    ...(isInterruptible ? { [interruptibleLabel]: '' } : {}),
  };
}

/** Labels that the node of a machine gets, as labels of the machine. */
export function nodeLabels({ spec }: NodePool): { [key: string]: string } {
  return Object.fromEntries(
    Object.entries(spec.nodeLabels ?? {}).map(([key, value]) => [`${managedLabelPrefix}${key}`, value]),
  );
}

/** Taints for the node of a machine, as JSON that Go would write. */
export function taintsJson({ spec }: NodePool): string {
  const taints = (spec.taints ?? []).map(({ key, value, effect }) => ({ key, ...(value ? { value } : {}), effect }));
  return taints.length > 0 ? JSON.stringify(taints) : 'null';
}

/** Entries of a live map with our prefix that are not wanted any more, as removals. */
export function removed(
  live: { readonly [key: string]: string } | undefined,
  wanted: { readonly [key: string]: string },
  isOurs: (key: string) => boolean,
): { [key: string]: null } {
  const stale = Object.keys(live ?? {}).filter((key) => isOurs(key) && !(key in wanted));
  return Object.fromEntries(stale.map((key) => [key, null]));
}

/** Metadata that MachineDeployment and MachineSet share. */
export function machineOwnerMeta(facts: MachineFacts): object {
  const { pool, cluster, namespace } = facts;
  return {
    name: pool.metadata.name ?? '',
    namespace,
    labels: { [clusterNameLabel]: cluster.spec.infraID ?? '' },
  };
}

export const releaseVersionAnnotation = annotations.releaseVersion.key;
export { belongsToPool };
