/** IBM Power Virtual Server. */
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { Platform, SourceSecret } from '../platform.ts';
import { readyInfraCluster } from '../shared/infra-object.ts';
import { plainPlatform } from '../shared/plain-platform.ts';
import { requireSecret, secretOf } from '../shared/secrets.ts';
import { settingsOf } from '../shared/settings.ts';
import { powervsGuest } from './guest.ts';
import { powervsCloudConfig } from './cloud-config.ts';
import { powervsFlags } from './flags.ts';
import { powervsProvider } from './provider.ts';
import { powervsMachines } from './machines.ts';

const apiKey = 'ibmcloud_api_key';
const envFile = 'ibm-credentials.env';

/** Which Secret each part of the cluster uses and what it reads there. */
const users = [
  ['kubeCloudControllerCreds', [apiKey, envFile]],
  ['nodePoolManagementCreds', [envFile]],
  ['ingressOperatorCloudCreds', [apiKey, envFile]],
  ['storageOperatorCloudCreds', [apiKey, envFile]],
  ['imageRegistryOperatorCloudCreds', [apiKey, envFile]],
] as const;

/** The Secrets with the keys anybody needs of them; one Secret may serve several parts. */
function needs({ spec }: HostedCluster): readonly (SourceSecret & { readonly keys: readonly string[] })[] {
  const settings = settingsOf(spec.platform, 'powervs');
  const byName = new Map<string, SourceSecret & { readonly keys: readonly string[] }>();
  for (const [member, keys] of users) {
    const name = settings[member]?.name ?? '';
    const field = `spec.platform.powervs.${member}`;
    byName.set(name, { name, field, keys: [...new Set([...(byName.get(name)?.keys ?? []), ...keys])] });
  }
  return [...byName.values()];
}

export const powervs: Platform = plainPlatform('PowerVS', {
  machines: powervsMachines,
  guest: powervsGuest,
  infrastructure: ({ cluster, namespace, endpoint }) => ({
    before: [],
    cluster: readyInfraCluster(
      'infrastructure.cluster.x-k8s.io/v1beta2',
      'IBMPowerVSCluster',
      { name: cluster.metadata.name ?? '', namespace },
      {
        serviceInstanceID: settingsOf(cluster.spec.platform, 'powervs').serviceInstanceID,
        // Required by the CRD; machines name their network themselves.
        network: {},
        controlPlaneEndpoint: endpoint,
      },
    ),
  }),
  provider: powervsProvider,
  sourceSecrets: (cluster) => (cluster.spec.platform.powervs ? needs(cluster) : []),
  credentials: ({ cluster, namespace, secrets }) =>
    needs(cluster).map((need) => {
      const data = requireSecret(secrets, need, need.keys);
      return secretOf(namespace, need.name, Object.fromEntries(need.keys.map((key) => [key, data[key] ?? ''])));
    }),
  cloudControllerManager: {
    component: 'powervs-cloud-controller-manager',
    image: 'powervs-cloud-controller-manager',
    cloudProvider: 'ibm',
    credentials: ({ spec }) => settingsOf(spec.platform, 'powervs').kubeCloudControllerCreds.name ?? '',
  },
  cloudProviderConfig: (hcp) => [powervsCloudConfig(hcp)],
  flags: powervsFlags,
});
