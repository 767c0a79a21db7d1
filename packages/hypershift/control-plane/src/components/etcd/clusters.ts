import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { StatefulOptions } from '../../framework/component.ts';

type Managed = NonNullable<HostedControlPlane['spec']['etcd']['managed']>;
type Shard = NonNullable<Managed['shards']>[number];
type Facts = { readonly hcp: HostedControlPlane };

/** One etcd cluster behind the API server. */
export interface EtcdCluster {
  readonly name: string;
  /** Services that clients and members find it by. */
  readonly client: string;
  readonly discovery: string;
  /** Absent: as the availability policy says. */
  readonly replicas?: number;
  /** Volumes of a member; none means that its data lives in memory. */
  readonly claims: (facts: Facts) => StatefulOptions['claims'];
  /** The shard it is; absent for the main one. */
  readonly shard?: string;
}

function dataClaim({ hcp }: Facts, storageClass?: string): StatefulOptions['claims'] {
  const volume = hcp.spec.etcd.managed?.storage.persistentVolume;
  const storageClassName = storageClass ?? volume?.storageClassName;
  return { data: { size: String(volume?.size ?? '8Gi'), ...(storageClassName ? { storageClassName } : {}) } };
}

export const mainCluster: EtcdCluster = {
  name: 'etcd',
  client: 'etcd-client',
  discovery: 'etcd-discovery',
  claims: (facts) => dataClaim(facts),
};

/** Clusters that keep some resources apart from the main one. */
export function shardClusters({ hcp }: Facts): readonly EtcdCluster[] {
  return shardsOf(hcp).map(({ name, replicas, storage }) => ({
    name: `etcd-${name}`,
    client: `etcd-client-${name}`,
    discovery: `etcd-discovery-${name}`,
    replicas,
    claims: (facts) =>
      storage?.type === 'EmptyDir' ? {} : dataClaim(facts, storage?.persistentVolume?.storageClassName),
    shard: name,
  }));
}

function shardsOf(hcp: HostedControlPlane): readonly Shard[] {
  return (hcp.spec.etcd.managementType === 'Managed' ? hcp.spec.etcd.managed?.shards : undefined) ?? [];
}

/** `<group>/<resource>#<endpoint>`: which resources the API server keeps in which shard. */
export function shardOverrides({ hcp, namespace }: Facts & { readonly namespace: string }): readonly string[] {
  return shardsOf(hcp).flatMap(({ name, resources }) =>
    resources.map(
      ({ apiGroup, resource }) => `${apiGroup}/${resource}#https://etcd-client-${name}.${namespace}.svc:2379`,
    ),
  );
}
