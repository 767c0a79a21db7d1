import type { PkiFacts } from '../facts.ts';
import type { LeafKeys, LeafSpec } from './specs.ts';

const clientKeys: LeafKeys = { certificate: 'etcd-client.crt', key: 'etcd-client.key' };
const serverKeys: LeafKeys = { certificate: 'server.crt', key: 'server.key' };
const peerKeys: LeafKeys = { certificate: 'peer.crt', key: 'peer.key' };
const organizations = ['kubernetes'];
const signer = 'etcd-signer';

/** Certificates of the etcd members and of those who talk to them. */
export function etcdLeaves(facts: PkiFacts): readonly LeafSpec[] {
  if (facts.managedEtcd === false) return [];
  const { namespace, etcdShards = [] } = facts;
  return [
    { secret: 'etcd-client-tls', signer, commonName: 'etcd-client', organizations, role: 'client', keys: clientKeys },
    {
      secret: 'etcd-metrics-client-tls',
      signer: 'etcd-metrics-signer',
      commonName: 'etcd-metrics-client',
      organizations,
      role: 'client',
      keys: clientKeys,
    },
    ...memberLeaves('etcd', 'etcd-client', 'etcd-discovery', namespace),
    ...etcdShards.flatMap((shard) => {
      const suffix = shard.replace(/^etcd-/, '');
      return memberLeaves(shard, `etcd-client-${suffix}`, `etcd-discovery-${suffix}`, namespace);
    }),
  ];
}

function memberLeaves(name: string, client: string, discovery: string, namespace: string): readonly LeafSpec[] {
  const peers = [`*.${discovery}.${namespace}.svc`, `*.${discovery}.${namespace}.svc.cluster.local`];
  return [
    {
      secret: `${name}-server-tls`,
      signer,
      commonName: 'etcd-server',
      organizations,
      role: 'peer',
      dnsNames: [
        `${client}.${namespace}.svc`,
        `${client}.${namespace}.svc.cluster.local`,
        ...peers,
        client,
        'localhost',
      ],
      keys: serverKeys,
    },
    {
      secret: `${name}-peer-tls`,
      signer,
      commonName: discovery,
      organizations,
      role: 'peer',
      dnsNames: peers,
      ipAddresses: ['127.0.0.1', '::1'],
      keys: peerKeys,
    },
  ];
}
