import type { Clock, Random } from '@hypershift-ts/kube-apimachinery';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Controller, EventRecorder, LeaderElectionOptions, Logger } from '@hypershift-ts/kube-controller';
import { Manager, silentLogger } from '@hypershift-ts/kube-controller';
import { clusterController } from './cluster/controller.ts';
import type { Environment } from './environment.ts';
import { ExternalObjects } from './external/external-objects.ts';
import { type HostedClient, HostedClusters } from './hosted/hosted-clusters.ts';
import { machineController } from './machine/controller.ts';
import { machineDeploymentController } from './machine-deployment/controller.ts';
import { machineHealthCheckController } from './machine-health-check/controller.ts';
import { machineSetController } from './machine-set/controller.ts';

export interface ClusterApiOptions {
  /** The management cluster. */
  readonly client: Client;
  /** The only namespace that is watched. */
  readonly namespace: string;
  /** How the cluster is reached whose nodes the Machines become; asked once for each Cluster. */
  readonly hostedClient: HostedClient;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  readonly leaderElection?: LeaderElectionOptions;
}

/** All controllers of Cluster API's core. */
export function clusterApiControllers(env: Environment): readonly Controller[] {
  return [
    clusterController(env),
    machineDeploymentController(env),
    machineSetController(env),
    machineController(env),
    machineHealthCheckController(env),
  ];
}

/** Runs Cluster API's core controllers for one namespace until the signal aborts. */
export async function runClusterApi(options: ClusterApiOptions & { readonly signal: AbortSignal }): Promise<void> {
  const { client, namespace, hostedClient, clock = systemClock, random = Math.random, signal } = options;
  const { logger = silentLogger, events, leaderElection } = options;
  const manager = new Manager({
    client,
    clock,
    random,
    logger,
    ...(events ? { events } : {}),
    ...(leaderElection ? { leaderElection } : {}),
  });
  const hosted = new HostedClusters({ hostedClient, clock, log: logger });
  const external = new ExternalObjects(client, manager.cache, namespace);
  manager.add(...clusterApiControllers({ namespace, external, hosted, random }));
  try {
    await manager.run(signal);
  } finally {
    await hosted.stop();
  }
}
