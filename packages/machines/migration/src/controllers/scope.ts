import { apiVersionOf, formatTime, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { EventRecorder, Logger, ReconcileContext } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { ClusterFacts, InfrastructureFacts } from '../conversion/cluster-facts.ts';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { clusterApiNamespace, machineApiNamespace } from '../conversion/names.ts';
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import type { PlacedKey, Reader } from './reader.ts';

/** What the controllers of one cluster share. */
export interface MigrationSettings {
  readonly platform: PlatformConversion;
  readonly infrastructure: InfrastructureFacts;
  readonly azureSubscriptionID?: string;
}

/** What one pass over one name works with. */
export interface PassScope {
  readonly settings: MigrationSettings;
  readonly client: Client;
  readonly reader: Reader;
  readonly events: EventRecorder;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** RFC 3339, in whole seconds. */
  readonly now: string;
}

export function passScope(
  settings: MigrationSettings,
  { client, events, log, clock, signal }: ReconcileContext,
  reader: Reader,
): PassScope {
  return { settings, client, reader, events, log, signal, now: formatTime(clock.now()) };
}

export const inMachineApi = (name: string): PlacedKey => ({ name, namespace: machineApiNamespace });
export const inClusterApi = (name: string): PlacedKey => ({ name, namespace: clusterApiNamespace });

/** What a conversion knows of the cluster; the InfraCluster may not be there yet. */
export async function clusterFacts({ settings, reader, now }: PassScope): Promise<ClusterFacts> {
  const { platform, infrastructure, azureSubscriptionID } = settings;
  const infraCluster: InfraObject | undefined = await reader.get(
    platform.kinds.cluster,
    inClusterApi(infrastructure.infrastructureName),
  );
  return {
    infrastructure,
    now,
    ...(infraCluster ? { infraCluster } : {}),
    ...(azureSubscriptionID === undefined ? {} : { azureSubscriptionID }),
  };
}

/** The resource that an object of either side belongs to. */
export function typeOf({ apiVersion, kind }: KubeObject, { kinds }: PlatformConversion): ResourceType<KubeObject> {
  const known: readonly ResourceType<KubeObject>[] = [
    mapiv1beta1.machines,
    mapiv1beta1.machinesets,
    capiv1beta2.machines,
    capiv1beta2.machinesets,
    kinds.machine,
    kinds.template,
  ];
  const type = known.find((candidate) => candidate.kind === kind && apiVersionOf(candidate) === apiVersion);
  if (!type) throw new Error(`${kind} of ${apiVersion} is not of a kind that is migrated`);
  return type;
}
