import { readFile } from 'node:fs/promises';
import { ChannelCredentials } from '@grpc/grpc-js';
import type { CommandContext, FlagNames, Flags } from '@hypershift-ts/fleet-serving';
import { parseGoDuration, systemClock } from '@hypershift-ts/kube-apimachinery';
import { applyManifests, HttpClient, inClusterConfig, loadClusterConfig } from '@hypershift-ts/kube-client';
import { appliedManifestWorkCrd } from '../agent/crd.ts';
import { grpcAgentTransport } from '../agent/grpc-transport.ts';
import { WorkAgent } from '../agent/work-agent.ts';
import { loggerOf } from './running.ts';

export const agentFlags: FlagNames = {
  values: [
    'consumer-name',
    'server',
    'kubeconfig',
    'cloudevents-client-id',
    'hub-address',
    'status-sync-interval',
    'ca-file',
    'client-cert-file',
    'client-key-file',
  ],
};

/** Servers send a heartbeat every ten seconds. */
const patienceMs = 30_000;

/** Applies works until the signal aborts. */
export async function runAgent(flags: Flags, context: CommandContext): Promise<number> {
  const { signal, clock = systemClock } = context;
  const consumer = flags.value('consumer-name');
  const address = flags.value('server');
  if (!consumer || !address) throw new Error('--consumer-name and --server are needed');
  const interval = flags.value('status-sync-interval') ?? '10s';
  const statusSyncMs = parseGoDuration(interval);
  if (!statusSyncMs || statusSyncMs <= 0) throw new Error(`--status-sync-interval ${interval} is no duration`);
  const credentials = await credentialsOf(flags);
  const logger = loggerOf(context, 'work-agent', clock);
  const file = flags.value('kubeconfig');
  const client = new HttpClient(file ? await loadClusterConfig({ file }) : await inClusterConfig());
  const transport = grpcAgentTransport({
    address,
    credentials,
    patienceMs,
    clock,
    onProblem: (error) => logger.warn({ err: error }, `the way to ${address} is interrupted`),
  });
  try {
    await applyManifests(client, [appliedManifestWorkCrd], { fieldManager: 'work-agent', signal });
    logger.info({ consumer, server: address }, 'applying works');
    await new WorkAgent({
      client,
      transport,
      consumer,
      agentId: flags.value('cloudevents-client-id') ?? `${consumer}-work-agent`,
      hubAddress: flags.value('hub-address') ?? address,
      statusSyncMs,
      clock,
      logger,
    }).run(signal);
  } finally {
    transport.close();
    await client.close();
  }
  return 0;
}

async function credentialsOf(flags: Flags): Promise<ChannelCredentials> {
  const [ca, cert, key] = await Promise.all(
    ['ca-file', 'client-cert-file', 'client-key-file'].map(async (name) => {
      const path = flags.value(name);
      return path ? readFile(path) : null;
    }),
  );
  if (!ca && !cert) return ChannelCredentials.createInsecure();
  return ChannelCredentials.createSsl(ca ?? null, key ?? null, cert ?? null);
}
