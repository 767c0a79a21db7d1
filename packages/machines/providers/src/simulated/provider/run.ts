import type { Clock, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { ClientEventRecorder, type Logger, Manager, silentLogger } from '@hypershift-ts/kube-controller';
import type { InfrastructureProvider } from '../../crds.ts';
import type { SimulatedCloud } from '../cloud/simulated-cloud.ts';
import { clusterController } from './cluster-controller.ts';
import { machineController } from './machine-controller.ts';
import type { MachineKind } from './machine-kind.ts';
import { machineKinds } from './machine-kinds.ts';
import { templateController } from './template-controller.ts';

export interface SimulatedProviderOptions {
  /** The management cluster. */
  readonly client: Client;
  /** The control plane namespace; absent: all namespaces. */
  readonly namespace?: string;
  readonly cloud: SimulatedCloud;
  /** Whose kinds to answer to. Absent: every kind whose CRD is installed when this begins. */
  readonly providers?: readonly InfrastructureProvider[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly signal: AbortSignal;
}

/** Plays the infrastructure providers on a simulated cloud until the signal aborts. The cloud stays open. */
export async function runSimulatedProvider(options: SimulatedProviderOptions): Promise<void> {
  const { client, cloud, namespace, providers, clock, logger = silentLogger, signal } = options;
  const kinds = await servedKinds(
    client,
    namespace,
    machineKinds.filter(({ provider }) => !providers || providers.includes(provider)),
  );
  const events = new ClientEventRecorder({
    client,
    component: 'simulated-cloud',
    ...(clock ? { clock } : {}),
    log: logger,
  });
  const manager = new Manager({ client, events, logger, ...(clock ? { clock } : {}) });
  for (const kind of kinds)
    manager.add(clusterController(kind.clusterType, namespace)).add(machineController(kind, cloud, namespace));
  for (const kind of kinds) if (kind.template) manager.add(templateController(kind, kind.template, namespace));
  if (signal.aborted) return;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await manager.start();
  await stopped;
  await manager.stop();
  await events.close();
}

async function servedKinds(
  client: Client,
  namespace: string | undefined,
  kinds: readonly MachineKind[],
): Promise<readonly MachineKind[]> {
  const isServed = async (type: ResourceType<KubeObject>): Promise<boolean> => {
    try {
      await client.list(type, { limit: 1, ...(namespace ? { namespace } : {}) });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
  const answers = await Promise.all(
    kinds.map(async ({ type, clusterType }) => (await isServed(type)) && isServed(clusterType)),
  );
  return kinds.filter((_kind, index) => answers[index]);
}
