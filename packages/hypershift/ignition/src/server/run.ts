import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { ClientEventRecorder, type EventRecorder, type Logger, Manager } from '@hypershift-ts/kube-controller';
import { Registry } from 'prom-client';
import { SharedPayloads } from '../payload-cache/shared-payloads.ts';
import { TokenIndex } from '../payload-cache/token-index.ts';
import { tokenController } from '../token-controller/controller.ts';
import type { PayloadSource } from '../token-controller/payload-source.ts';
import { IgnitionServer, type IgnitionServerOptions } from './ignition-server.ts';
import { ignitionMetrics } from './metrics.ts';
import { MetricsServer } from './metrics-server.ts';

export interface RunIgnitionOptions
  extends Pick<IgnitionServerOptions, 'host' | 'port' | 'certificate' | 'maxConnections' | 'refusalsPerSecond'> {
  readonly client: Client;
  /** The control plane namespace. */
  readonly namespace: string;
  readonly source: PayloadSource;
  /** Absent: no metrics port. */
  readonly metricsPort?: number;
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly events?: EventRecorder;
  readonly newToken?: () => string;
}

export interface RunningIgnition {
  readonly port: number;
  readonly metricsPort: number | undefined;
  readonly registry: Registry;
  readonly server: IgnitionServer;
  stop(): Promise<void>;
}

/** One replica of the ignition server: follows the token Secrets of a control plane and serves their payloads. */
export async function runIgnition(options: RunIgnitionOptions): Promise<RunningIgnition> {
  const { client, namespace, source, clock, log, newToken } = options;
  const index = new TokenIndex();
  const registry = new Registry();
  const metrics = ignitionMetrics(registry, () => index.size);
  const timed = { ...(clock ? { clock } : {}), ...(log ? { log } : {}) };
  const recorder = options.events
    ? undefined
    : new ClientEventRecorder({ client, component: 'ignition-server', ...timed });
  const events = options.events ?? (recorder as EventRecorder);
  const manager = new Manager({
    client,
    events,
    ...(clock ? { clock } : {}),
    ...(log ? { logger: log } : {}),
  });
  const payloads = new SharedPayloads(client, namespace);
  manager.add(tokenController({ namespace, index, source, payloads, metrics, ...(newToken ? { newToken } : {}) }));
  await manager.start();
  const server = new IgnitionServer({ ...options, index, client, events, metrics });
  const port = await server.listen();
  const metricsServer =
    options.metricsPort === undefined
      ? undefined
      : new MetricsServer({ registry, port: options.metricsPort, ...(options.host ? { host: options.host } : {}) });
  const metricsPort = await metricsServer?.listen();
  return {
    port,
    metricsPort,
    registry,
    server,
    async stop() {
      await server.close();
      await metricsServer?.close();
      await manager.stop();
      await recorder?.close();
    },
  };
}
