import { describe, expect, it } from 'vitest';
import { clusterNamesIn } from './cluster-hosts.ts';

describe('clusterNamesIn', () => {
  it('When words name Services and pods of a cluster, it should find each name once', () => {
    expect(
      clusterNamesIn([
        '--initial-cluster=etcd-0=https://etcd-0.etcd-discovery.ns.svc:2380,etcd-1=https://etcd-1.etcd-discovery.ns.svc:2380',
        '--advertise-client-urls=https://etcd-0.etcd-discovery.ns.svc:2379,https://web.ns.svc.cluster.local',
        '--data-dir=/var/lib/data.svc',
        'https://example.org:80',
      ]),
    ).toEqual(['etcd-0.etcd-discovery.ns.svc', 'etcd-1.etcd-discovery.ns.svc', 'web.ns.svc.cluster.local']);
  });
});
