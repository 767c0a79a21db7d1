import type { Clock, Random } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import {
  ClientEventRecorder,
  type Controller,
  type EventRecorder,
  type LeaderElectionOptions,
  type Logger,
  Manager,
  silentLogger,
} from '@hypershift-ts/kube-controller';
import type { Registry } from 'prom-client';
import type { InfrastructureFacts } from '../conversion/cluster-facts.ts';
import { platformConversion } from '../conversion/platforms.ts';
import { machineSetSyncController } from './machine-set-sync.ts';
import { machineSyncController } from './machine-sync.ts';
import { machineMigrationController, machineSetMigrationController } from './migration.ts';
import { observePending } from './pending-metric.ts';
import type { MigrationSettings } from './scope.ts';
import { coreClusterController, infraClusterController } from './surroundings.ts';
import { userDataSecretController } from './user-data-secrets.ts';

export interface MigrationControllersOptions {
  /** The cluster with both APIs. Its user must be one that the admission policies know as a controller. */
  readonly client: Client;
  /** As Infrastructure `cluster` names it: `AWS`. */
  readonly platform: string;
  readonly infrastructure: InfrastructureFacts;
  readonly azureSubscriptionID?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  /** Who tells of objects instead of the controllers themselves. */
  readonly events?: EventRecorder;
  /** Metrics go here; none without it. */
  readonly registry?: Registry;
  readonly leaderElection?: LeaderElectionOptions;
}

/** All controllers of the migration between both APIs, and those that make what its copies need. */
export function migrationControllers(settings: MigrationSettings): readonly Controller[] {
  return [
    machineSyncController(settings),
    machineSetSyncController(settings),
    machineMigrationController(settings),
    machineSetMigrationController(settings),
    userDataSecretController(),
    infraClusterController(settings),
    coreClusterController(settings),
  ];
}

/** Under which name each controller speaks of its objects, where that is not its own. */
const eventSources: { readonly [controller: string]: string } = { MachineSyncController: 'machine-sync-controller' };

/**
 * Runs the migration controllers until the signal aborts. On a platform whose machines only one API can express there
 * is nothing to do, and that is no fault: it idles.
 */
export async function runMigrationControllers(
  options: MigrationControllersOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal, logger = silentLogger } = options;
  const platform = platformConversion(options.platform);
  if (!platform) {
    logger.info({ platform: options.platform }, 'machines of this platform cannot be migrated; idling');
    await aborted(signal);
    return;
  }
  const { client, clock, random, events, registry, leaderElection, infrastructure, azureSubscriptionID } = options;
  const manager = new Manager({
    client,
    logger,
    ...(clock ? { clock } : {}),
    ...(random ? { random } : {}),
    ...(events ? { events } : {}),
    ...(registry ? { registry } : {}),
    ...(leaderElection ? { leaderElection } : {}),
  });
  const recorders: ClientEventRecorder[] = [];
  const speaking = (definition: Controller): Controller => {
    if (events) return definition;
    const component = eventSources[definition.name] ?? definition.name;
    const recorder = new ClientEventRecorder({ client, component, log: logger, ...(clock ? { clock } : {}) });
    recorders.push(recorder);
    return { ...definition, events: recorder };
  };
  const settings = {
    platform,
    infrastructure,
    ...(azureSubscriptionID === undefined ? {} : { azureSubscriptionID }),
  };
  manager.add(...migrationControllers(settings).map(speaking));
  const unobserve = registry ? observePending(registry, manager.cache) : () => {};
  try {
    await manager.run(signal);
  } finally {
    unobserve();
    await Promise.all(recorders.map((recorder) => recorder.close()));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
