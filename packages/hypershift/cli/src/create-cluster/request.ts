import type { HostedClusterManifest, NodePoolManifest } from '@hypershift-ts/hypershift-api';
import type { CoreFlags } from './core-flags.ts';

export type HostedClusterSpec = HostedClusterManifest['spec'];
export type NodePoolPlatform = NodePoolManifest['spec']['platform'];

/** Flags with everything they point at: files are read, names and keys are made. The rest is a pure function of it. */
export interface ClusterRequest extends Omit<CoreFlags, 'pullSecret' | 'sshKey'> {
  readonly releaseImage: string;
  readonly infraID: string;
  /** Content of `.dockerconfigjson`. */
  readonly pullSecretContent: string;
  readonly ssh?: { readonly publicKey: string; readonly privateKey?: string };
  readonly trustBundleContent?: string;
  readonly imageContentSourceList?: HostedClusterSpec['imageContentSources'];
  /** 32 random bytes in base64. */
  readonly etcdEncryptionKey: string;
}
