import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { isNotFound, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client, Random } from '@hypershift-ts/kube-client';
import { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, LeaderElectionOptions, Logger, ManagerOptions } from '@hypershift-ts/kube-controller';
import { Manager, silentLogger } from '@hypershift-ts/kube-controller';
import { ServedTypes } from '../discovery/served-types.ts';
import { GarbageCollector } from '../garbage-collector/garbage-collector.ts';
import type { ControllerInputs } from './controllers.ts';
import { asManager, controllerNames, controllersFor, garbageCollectorName } from './controllers.ts';
import { isEnabled, unknownNames } from './enabled.ts';
import { EventRecorders } from './event-recorders.ts';

export interface ControllerManagerOptions extends ControllerInputs {
  /** Reads (the shared cache) and, without `clientFor`, all writes. */
  readonly client: Client;
  /** The client a controller writes with, so that each has its own identity and permissions. */
  readonly clientFor?: (controllerName: string) => Client;
  /** As `--controllers`: `*`, `name`, `-name`. Default everything. */
  readonly enabled?: readonly string[];
  /** A cache shared with others (the scheduler), which is left running. Default: its own. */
  readonly cache?: InformerCache;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly registry?: NonNullable<ManagerOptions['registry']>;
  readonly leaderElection?: LeaderElectionOptions;
}

/** The embedded kube-controller-manager of one cluster. */
export class ControllerManager {
  readonly cache: InformerCache;
  private readonly options: ControllerManagerOptions;
  private readonly manager: Manager;
  private readonly served: ServedTypes;
  private readonly recorders: EventRecorders;
  private readonly ownsCache: boolean;

  constructor(options: ControllerManagerOptions) {
    this.options = options;
    const { client, enabled = ['*'], clock = systemClock, logger = silentLogger } = options;
    const unknown = unknownNames(enabled, controllerNames);
    if (unknown.length > 0) throw new Error(`unknown controllers: ${unknown.join(', ')}`);
    const random = options.random ? { random: options.random } : {};
    this.ownsCache = options.cache === undefined;
    this.cache =
      options.cache ??
      new InformerCache({
        client,
        clock,
        ...random,
        onError: (error, type) => logger.debug({ err: error, resource: type.resource }, 'watch will be retried'),
      });
    this.recorders = new EventRecorders({ clock, log: logger });
    this.served = new ServedTypes(client);
    this.manager = new Manager({
      client,
      cache: this.cache,
      clock,
      logger,
      ...random,
      ...(options.registry ? { registry: options.registry } : {}),
      ...(options.leaderElection ? { leaderElection: options.leaderElection } : {}),
    });
    for (const controller of controllersFor(options, this.served)) {
      if (isEnabled(controller.name, enabled)) this.manager.add(this.withIdentity(controller));
    }
    if (isEnabled(garbageCollectorName, enabled)) this.manager.addRunnable((signal) => this.collectGarbage(signal));
  }

  /** Resolves when every controller works. */
  start(): Promise<void> {
    return this.manager.start();
  }

  /** Starts, works until the signal aborts or leadership is lost, and stops. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.manager.run(signal);
    } finally {
      await this.release();
    }
  }

  async stop(): Promise<void> {
    await this.manager.stop();
    await this.release();
  }

  healthz() {
    return this.manager.healthz();
  }

  readyz() {
    return this.manager.readyz();
  }

  private async release(): Promise<void> {
    this.served.stop();
    await this.recorders.close();
    if (this.ownsCache) await this.cache.stop();
  }

  private clientOf(name: string): Client {
    return asManager.has(name) ? this.options.client : (this.options.clientFor?.(name) ?? this.options.client);
  }

  /** The controller as itself: with its own client and its own name on its events. */
  private withIdentity(controller: Controller): Controller {
    const client = this.clientOf(controller.name);
    const events = this.recorders.for(controller.name, () => client);
    return {
      ...controller,
      events,
      async reconcile(key, context) {
        try {
          return await controller.reconcile(key, { ...context, client });
        } catch (error) {
          // The object itself went away meanwhile: there is nothing left to do, and its deletion wakes us again.
          const { resource } = controller.for.type;
          if (isNotFound(error) && error.details?.kind === resource && error.details.name === key.name)
            return undefined;
          throw error;
        }
      },
    };
  }

  private async collectGarbage(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, logger = silentLogger } = this.options;
    const client = this.clientOf(garbageCollectorName);
    const collector = new GarbageCollector({
      client,
      cache: this.cache,
      served: this.served,
      clock,
      events: this.recorders.for(garbageCollectorName, () => client),
      log: logger.child({ controller: garbageCollectorName }),
    });
    await collector.start(signal);
    if (!signal.aborted) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    }
    await collector.stop();
  }
}

/** A controller manager to start and stop. */
export function controllerManager(options: ControllerManagerOptions): ControllerManager {
  return new ControllerManager(options);
}
