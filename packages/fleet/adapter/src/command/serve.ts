import { brokerConfigOf, connectSubscriber } from '@hypershift-ts/fleet-broker';
import type { CommandContext, Flags, Log } from '@hypershift-ts/fleet-serving';
import { createLog, startProbes } from '@hypershift-ts/fleet-serving';
import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { HttpClient, inClusterConfig, loadClusterConfig } from '@hypershift-ts/kube-client';
import { stringify } from 'yaml';
import { HttpApiClient } from '../api-client/http-client.ts';
import type { LoadedAdapter } from '../config/load.ts';
import { redacted } from '../run/redact.ts';
import { AdapterService } from '../service/adapter-service.ts';
import { KubernetesTransport } from '../transport/kubernetes.ts';
import { MaestroTransport } from '../transport/maestro.ts';
import { maestroClient } from './maestro-client.ts';

/** Handles events until the signal is aborted (exit code 0) or the broker is lost for good (1). */
export async function serve(adapter: LoadedAdapter, flags: Flags, context: CommandContext): Promise<number> {
  const { config } = adapter;
  const { version, env, signal } = context;
  const log = createLog({
    ...config.log,
    write: config.log?.output === 'stderr' ? context.err : context.out,
    now: () => adapter.texts.clock.now(),
    component: config.adapter.name,
    version,
  });
  const subscriptionId = config.clients.broker?.subscription_id;
  if (subscriptionId === undefined || subscriptionId === '')
    throw new Error('clients.broker.subscription_id is not set; set it or HYPERFLEET_BROKER_SUBSCRIPTION_ID');
  const shown = stringify(redacted(config as unknown as JsonObject));
  if (config.debug_config) log('info', 'configuration', { config: shown });
  const client = await kubernetesClient(adapter);
  const maestro = goesThrough(adapter, 'maestro')
    ? await maestroClient(config.clients.maestro, adapter.texts.clock)
    : undefined;
  const subscriber = await connectSubscriber(brokerConfigOf(env), { subscriptionId, observer: failuresOf(log) });
  const service = new AdapterService({
    adapter,
    subscriber,
    api: new HttpApiClient({
      config: config.clients.hyperfleet_api,
      userAgent: env['HYPERFLEET_USER_AGENT'] ?? `hyperfleet-adapter/${version}`,
      clock: adapter.texts.clock,
    }),
    transports: {
      ...(client ? { kubernetes: new KubernetesTransport(client) } : {}),
      ...(maestro ? { maestro: new MaestroTransport(maestro) } : {}),
    },
    env,
    log,
    version,
  });
  const probes = await startProbes({
    healthAddress: flags.value('health-server-bindaddress') ?? ':8080',
    metricsAddress: flags.value('metrics-server-bindaddress') ?? ':9090',
    healthz: () => ({ ok: true, body: '{"status":"ok"}' }),
    readyz: () => readiness(service),
    metrics: () => service.metrics.text(),
    ...(config.debug_config ? { config: () => shown } : {}),
  });
  await service.start();
  log('info', `handling events of ${config.clients.broker?.topic ?? ''}`, { health: probes.healthUrl });
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  log('info', 'stopping: finishing what is under way');
  await service.stop();
  maestro?.close();
  await Promise.all([probes.close(), client?.close()]);
  return 0;
}

function failuresOf(log: Log) {
  return {
    failed: (topic: string, kind: string, error: unknown) =>
      log('error', `${kind} failure: ${errorMessage(error)}`, { topic }),
  };
}

async function readiness(service: AdapterService): Promise<{ readonly ok: boolean; readonly body: string }> {
  const { healthy, message } = await service.health();
  const checks = { config: 'ok', broker: healthy ? 'ok' : 'error' };
  return {
    ok: healthy,
    body: JSON.stringify({ status: healthy ? 'ok' : 'error', checks, ...(message ? { message } : {}) }),
  };
}

/** A client for the cluster, when a resource goes there directly. */
async function kubernetesClient(adapter: LoadedAdapter): Promise<Client | undefined> {
  if (!goesThrough(adapter, 'kubernetes')) return undefined;
  const { kube_config_path: file } = adapter.config.clients.kubernetes;
  return new HttpClient(
    file === undefined || file === '' ? await inClusterConfig() : await loadClusterConfig({ file }),
  );
}

function goesThrough({ task }: LoadedAdapter, client: 'kubernetes' | 'maestro'): boolean {
  return task.resources.some(({ transport }) => (transport?.client ?? 'kubernetes') === client);
}
