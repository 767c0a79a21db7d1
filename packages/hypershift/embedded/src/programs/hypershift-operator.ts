import { MemoryOidcDocuments, runHypershiftOperator } from '@hypershift-ts/hypershift-operator';
import { simulatedCloudAccount } from '@hypershift-ts/hypershift-platforms';
import type { ReleaseProvider } from '@hypershift-ts/hypershift-release';
import type { BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { getIfPresent } from '@hypershift-ts/kube-controller';
import { type ProcessDirectory, ProgramFlags, programLog, serviceAccountClient } from '@hypershift-ts/kube-programs';
import { operatorVersion } from '../product-version.ts';
import { documentsOf, pairsOf, providerImagesOf } from './operator-flags.ts';

/** Releases bring no image for these; any that is one of ours runs as the simulated provider. */
const simulatedProviders = {
  KubeVirt: 'registry.hypershift-ts.io/cluster-api-provider-kubevirt:embedded',
  Agent: 'registry.hypershift-ts.io/cluster-api-provider-agent:embedded',
} as const;

/** Private clusters on AWS need an operator with an account there; this is the region whose names are made up by default. */
const simulatedInstallation = { awsRegion: 'us-east-1', hasAWSCredentials: true };

/** `hypershift-operator run`: HostedClusters and NodePools of the management cluster. */
export function hypershiftOperatorProgram(
  directory: ProcessDirectory,
  releases: ReleaseProvider,
  callsClouds = false,
): BuiltinProgram {
  return async (context) => {
    const flags = new ProgramFlags([...(context.command ?? []).slice(1), ...context.args]);
    const client = serviceAccountClient(context, directory, 'hypershift-operator');
    const namespace = flags.text('namespace') ?? context.pod.metadata.namespace ?? 'hypershift';
    try {
      const simulated = callsClouds || (await runsOurNodes(client));
      const documents = documentsOf(flags, context);
      const overrides = pairsOf(flags, 'registry-overrides');
      const replaced = Object.keys(overrides).length > 0;
      await runHypershiftOperator({
        client,
        namespace,
        identity: context.pod.metadata.name ?? '',
        version: operatorVersion,
        releases,
        operatorImage:
          flags.text('control-plane-operator-image') ??
          (context.container.image || (await installedImage(client, namespace))),
        providerImages: { ...(simulated ? simulatedProviders : {}), ...providerImagesOf(flags) },
        // Nobody but a simulated cloud would find documents here.
        ...((documents ?? simulated) ? { oidcDocuments: documents ?? new MemoryOidcDocuments() } : {}),
        ...(replaced ? { lookup: { registryOverrides: overrides }, settings: { registryOverrides: overrides } } : {}),
        ...(callsClouds ? { accounts: simulatedCloudAccount, operator: simulatedInstallation } : {}),
        clock: context.clock,
        logger: programLog(context),
        signal: context.signal,
      });
    } finally {
      await client.close();
    }
  };
}

/** Whether the nodes are ours, which simulate machines and clouds. */
async function runsOurNodes(client: Client): Promise<boolean> {
  const { items } = await client.list(corev1.nodes, { limit: 1 });
  return items[0]?.status?.nodeInfo?.containerRuntimeVersion?.startsWith('hypershift-ts://') ?? false;
}

/** A process without a container of its own has the image it was installed with. */
async function installedImage(client: Client, namespace: string): Promise<string> {
  const deployment = await getIfPresent(client, appsv1.deployments, { namespace, name: 'operator' });
  const image = deployment?.spec?.template.spec?.containers[0]?.image;
  if (image) return image;
  throw new Error(
    `Deployment ${namespace}/operator, which would tell the image of control planes, does not exist; run \`hypershift install\` first or name one with --control-plane-operator-image`,
  );
}
