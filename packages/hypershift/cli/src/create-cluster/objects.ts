import type { HostedClusterManifest, NodePoolManifest } from '@hypershift-ts/hypershift-api';
import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { hostedClusterOf } from './hosted-cluster.ts';
import { nodePoolOf } from './node-pool.ts';
import type { PlatformParts } from './platform-builder.ts';
import type { ClusterRequest } from './request.ts';
import { encryptionKeyName, etcdEncryptionSecret, pullSecret, sshSecret, trustBundle } from './secrets.ts';

/** Objects of a new cluster in the order in which they are rendered and applied. */
export interface ClusterObjects {
  readonly before: readonly KubeObject[];
  readonly cluster: HostedClusterManifest;
  readonly nodePools: readonly NodePoolManifest[];
}

/** Everything a new cluster needs. */
export function clusterObjects(
  asked: ClusterRequest,
  parts: PlatformParts,
  upgradeType: 'Replace' | 'InPlace',
): ClusterObjects {
  const storageClass = asked.etcdStorageClass ?? parts.etcdStorageClass;
  const request: ClusterRequest = {
    ...asked,
    arch: parts.arch ?? asked.arch,
    ...(storageClass ? { etcdStorageClass: storageClass } : {}),
  };
  const cluster = hostedClusterOf(request, parts.spec, parts.annotations);
  const usesOwnKey = cluster.spec.secretEncryption?.aescbc?.activeKey.name === encryptionKeyName(request);
  const before: readonly (KubeObject | undefined)[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: request.namespace } },
    trustBundle(request),
    pullSecret(request),
    sshSecret(request),
    ...parts.objects,
    usesOwnKey ? etcdEncryptionSecret(request) : undefined,
  ];
  return {
    before: before.filter((object) => object !== undefined),
    cluster,
    nodePools:
      request.nodePoolReplicas < 0 ? [] : parts.nodePools.map((pool) => nodePoolOf(request, pool, upgradeType)),
  };
}

/** All of them in order; Secrets only where they may be shown. */
export function inOrder({ before, cluster, nodePools }: ClusterObjects, sensitive: boolean): readonly KubeObject[] {
  const all = [...before, cluster, ...nodePools] as readonly KubeObject[];
  return sensitive ? all : all.filter(({ kind }) => kind !== 'Secret');
}
