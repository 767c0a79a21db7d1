import type { ApiServerProxyInputs } from '../api-server-proxy/machine-config.ts';
import { apiServerProxyDocument } from '../api-server-proxy/machine-config.ts';
import type { ConfigSource } from '../machine-config/documents.ts';
import type { RolloutFormat } from './formats.ts';
import type { ClusterNetworks, NodeConfiguration } from './global-config.ts';
import { globalConfig } from './global-config.ts';
import { rawConfig } from './raw-config.ts';
import { hashedStream, usesRunc } from './rhel-stream.ts';

/** What users asked for that concerns a pool's nodes, read from HostedCluster, NodePool and their ConfigMaps. */
export interface PoolIntent {
  readonly releaseVersion: string;
  readonly pullSecretName: string;
  readonly additionalTrustBundleName?: string;
  readonly configuration?: NodeConfiguration;
  readonly networks: ClusterNetworks;
  readonly hasImageContentSources: boolean;
  /** `NodePool.spec.osImageStream.name`. */
  readonly osImageStream?: string;
  /** Absent when an old control plane still writes the proxy's MachineConfig as a core ConfigMap. */
  readonly apiServerProxy?: ApiServerProxyInputs;
  readonly core: readonly ConfigSource[];
  readonly user: readonly ConfigSource[];
  readonly tuning?: readonly ConfigSource[];
}

/** As upstream composes it, byte for byte: pools of a cluster that is taken over do not roll. */
const upstream: RolloutFormat<PoolIntent> = {
  id: '1',
  inputs: (intent) => ({
    rawConfig: rawConfig({
      apiServerProxy: intent.apiServerProxy ? apiServerProxyDocument(intent.apiServerProxy) : '',
      core: intent.core,
      user: intent.user,
      ...(intent.tuning ? { tuning: intent.tuning } : {}),
      hasImageContentSources: intent.hasImageContentSources,
    }),
    releaseVersion: intent.releaseVersion,
    pullSecretName: intent.pullSecretName,
    additionalTrustBundleName: intent.additionalTrustBundleName ?? '',
    globalConfig: globalConfig(intent.configuration, intent.networks, intent.releaseVersion),
    rhelStream: hashedStream(intent.osImageStream, intent.releaseVersion, usesRunc(intent.user)),
  }),
};

/** Newest first; for rolloutTarget(). A format is never edited after a release, only joined by a newer one. */
export const rolloutFormats: readonly RolloutFormat<PoolIntent>[] = [upstream];
