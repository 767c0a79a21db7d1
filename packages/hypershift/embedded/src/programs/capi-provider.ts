import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { type ProcessDirectory, ProgramFlags, programLog, serviceAccountClient } from '@hypershift-ts/kube-programs';
import { runSimulatedProvider, type SimulatedCloud } from '@hypershift-ts/machines-providers';
import { operatorHealth } from './operator-health.ts';

const healthPort = 9440;

/** An infrastructure provider whose cloud is simulated: its kinds are the real ones, its machines run here. */
export function capiProviderProgram(directory: ProcessDirectory, cloud: SimulatedCloud): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const client = serviceAccountClient(context, directory, 'capi-provider');
    const health = await operatorHealth(context.podIP, healthPort, () => true);
    log.info({}, 'the cloud behind this provider is simulated: its machines run in this process');
    try {
      await runSimulatedProvider({
        client,
        namespace: flags.text('namespace') ?? context.pod.metadata.namespace ?? '',
        cloud,
        clock: context.clock,
        logger: log,
        signal: context.signal,
      });
    } finally {
      await health.close();
      await client.close();
    }
  };
}
