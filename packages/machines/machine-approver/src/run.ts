import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache } from '@hypershift-ts/kube-client';
import {
  type EventRecorder,
  type LeaderElectionOptions,
  type Logger,
  Manager,
  silentLogger,
} from '@hypershift-ts/kube-controller';
import { type CurrentServing, machineApproverController } from './controller.ts';

export interface MachineApproverOptions {
  /** Where the Machines are. */
  readonly managementClient: Client;
  readonly namespace: string;
  /** Where their nodes ask for certificates. */
  readonly hostedClient: Client;
  readonly currentServing?: CurrentServing;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  readonly leaderElection?: LeaderElectionOptions;
  readonly signal: AbortSignal;
}

/** Approves certificates of the nodes of one hosted cluster until the signal aborts. */
export async function runMachineApprover(options: MachineApproverOptions): Promise<void> {
  const { managementClient, hostedClient, namespace, currentServing, events, leaderElection, signal } = options;
  const { clock = systemClock, logger = silentLogger } = options;
  const management = new InformerCache({ client: managementClient, clock });
  const manager = new Manager({
    client: hostedClient,
    clock,
    logger,
    ...(events ? { events } : {}),
    ...(leaderElection ? { leaderElection } : {}),
  });
  manager.add(machineApproverController({ management, namespace, ...(currentServing ? { currentServing } : {}) }));
  management.start();
  try {
    await manager.run(signal);
  } finally {
    await management.stop();
  }
}
