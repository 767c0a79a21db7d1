import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { type ProcessDirectory, ProgramFlags, programLog, serviceAccountClient } from '@hypershift-ts/kube-programs';
import {
  type InfrastructureProvider,
  infrastructureProviders,
  runSimulatedProvider,
  type SimulatedCloud,
} from '@hypershift-ts/machines-providers';
import { operatorHealth } from './operator-health.ts';

const usualHealthPort = 9440;

/** An infrastructure provider whose cloud is simulated: its kinds are the real ones, its machines run here. */
export function capiProviderProgram(directory: ProcessDirectory, cloud: () => SimulatedCloud): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const client = serviceAccountClient(context, directory, 'capi-provider');
    const [, port] = /:(\d+)$/.exec(flags.text('health-probe-bind-address') ?? '') ?? [];
    const healthPort = Number(port ?? usualHealthPort);
    const health = await operatorHealth(context, healthPort, () => true);
    log.info({}, 'the cloud behind this provider is simulated: its machines run in this process');
    try {
      await runSimulatedProvider({
        client,
        namespace: flags.text('namespace') ?? context.pod.metadata.namespace ?? '',
        cloud: cloud(),
        providers: providersOf(context.container.image ?? ''),
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

/** Whose kinds an image is for, from its name: `aws-cluster-api-controllers`, `cluster-api-provider-kubevirt`. */
export function providersOf(image: string): readonly InfrastructureProvider[] {
  const name = /([a-z]+)-cluster-api-controllers|cluster-api-provider-([a-z]+)/.exec(image);
  const wanted = name?.[1] ?? name?.[2];
  return infrastructureProviders.filter((provider) => provider === wanted);
}
