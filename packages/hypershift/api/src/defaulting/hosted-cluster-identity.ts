/** What the operator fills in once, before anything is made for a cluster. */
import type { HostedCluster } from '../hosted-cluster/index.ts';
import { generateInfraID } from './infra-id.ts';
import type { DefaultSources } from './sources.ts';

type Platform = HostedCluster['spec']['platform'];

/** Everything in AWS carries the tag its cloud provider looks for. */
function withOwnedTag(platform: Platform, infraID: string): Platform {
  if (platform.type !== 'AWS' || !platform.aws) return platform;
  const key = `kubernetes.io/cluster/${infraID}`;
  const tags = platform.aws.resourceTags ?? [];
  if (tags.some((tag) => tag.key === key)) return platform;
  return { ...platform, aws: { ...platform.aws, resourceTags: [...tags, { key, value: 'owned' }] } };
}

/** The object with cluster ID, infrastructure ID and ownership tag; the same object when it has them. */
export function withIdentity(cluster: HostedCluster, { random, uuid }: DefaultSources): HostedCluster {
  const { spec } = cluster;
  if (!spec?.platform) return cluster;
  const infraID = spec.infraID || generateInfraID(cluster.metadata.name ?? '', random);
  const clusterID = spec.clusterID || uuid();
  const platform = withOwnedTag(spec.platform, infraID);
  if (infraID === spec.infraID && clusterID === spec.clusterID && platform === spec.platform) return cluster;
  return { ...cluster, spec: { ...spec, infraID, clusterID, platform } };
}

/** Name of the Secret with the key a KubeVirt cluster encrypts with unless it says otherwise. */
export const generatedEncryptionKeyName = (clusterName: string): string => `${clusterName}-etcd-encryption-key`;

/** KubeVirt clusters are encrypted with a generated key; the caller makes the Secret, 32 random bytes under `key`. */
export function withGeneratedEncryption(cluster: HostedCluster): HostedCluster {
  const { spec } = cluster;
  if (spec?.platform?.type !== 'KubeVirt' || spec.secretEncryption) return cluster;
  const name = generatedEncryptionKeyName(cluster.metadata.name ?? '');
  return { ...cluster, spec: { ...spec, secretEncryption: { type: 'aescbc', aescbc: { activeKey: { name } } } } };
}
