import {
  type NetworkChecks,
  operatorImagesFrom,
  operatorSettingsFrom,
  runControlPlaneOperator,
} from '@hypershift-ts/hypershift-control-plane';
import { simulatedCloudAccount } from '@hypershift-ts/hypershift-platforms';
import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import type { KeySource } from '@hypershift-ts/kube-pki';
import { type ProcessDirectory, ProgramFlags, programLog, serviceAccountClient } from '@hypershift-ts/kube-programs';
import { operatorHealth } from './operator-health.ts';

const healthPort = 6060;

export interface ControlPlaneOperatorProgram {
  readonly directory: ProcessDirectory;
  readonly releases: ReleaseProvider;
  readonly keys: KeySource;
  readonly checks?: NetworkChecks;
  /** Whether it calls the cloud of its nodes, which is a simulated one. */
  readonly callsClouds?: boolean | undefined;
}

/** `control-plane-operator run`: the operator of one hosted control plane. */
export function controlPlaneOperatorProgram(around: ControlPlaneOperatorProgram): BuiltinProgram {
  return async (context) => {
    const { env, signal, clock } = context;
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const namespace = flags.text('namespace') ?? env['MY_NAMESPACE'] ?? context.pod.metadata.namespace ?? '';
    const client = serviceAccountClient(context, around.directory, 'control-plane-operator');
    const releaseImage = env['OPERATE_ON_RELEASE_IMAGE'];
    const overrides = Object.fromEntries(flags.list('registry-overrides').map((pair) => splitOnce(pair, '=')));
    const health = await operatorHealth(context, healthPort, () => true);
    try {
      await runControlPlaneOperator({
        client,
        namespace,
        releases: around.releases,
        keys: around.keys,
        images: {
          ...operatorImagesFrom(env),
          ...Object.fromEntries(flags.list('image-overrides').map((pair) => splitOnce(pair, '='))),
        },
        settings: operatorSettingsFrom(env, { registryOverrides: overrides }),
        ...(releaseImage ? { operateOnReleaseImage: releaseImage } : {}),
        ...(around.checks ? { checks: around.checks } : {}),
        ...(around.callsClouds ? { accounts: simulatedCloudAccount } : {}),
        clock,
        logger: programLog(context),
        signal,
        leaderElection: {
          lease: { namespace, name: 'control-plane-operator-leader-elect' },
          identity: context.pod.metadata.name ?? '',
          leaseDurationMs: 60_000,
          renewDeadlineMs: 40_000,
          retryPeriodMs: 15_000,
        },
      });
    } finally {
      await health.close();
      await client.close();
    }
  };
}

function splitOnce(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
