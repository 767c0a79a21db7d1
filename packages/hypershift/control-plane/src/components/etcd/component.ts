import { type Component, component } from '../../framework/component.ts';
import { type ControlPlaneContext, isHighlyAvailable, isOpenShiftPayload } from '../../framework/context.ts';
import {
  type Manifest,
  podDisruptionBudget,
  role,
  roleBinding,
  rule,
  service,
  serviceAccount,
  when,
} from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import {
  type ContainerDeclaration,
  configMapVolume,
  http,
  https,
  memoryScratch,
  podIP,
  podName,
  podNamespace,
  scratch,
  secretVolume,
} from '../../framework/pod.ts';
import { etcdTlsVersion, tlsProfileOf } from '../../framework/tls.ts';
import { type EtcdCluster, mainCluster } from './clusters.ts';
import { memberReset } from './member-reset.ts';

const tls = '/etc/etcd/tls';

const isManaged = ({ hcp }: ControlPlaneContext): boolean => hcp.spec.etcd.managementType === 'Managed';

/** The store of the hosted cluster, where HyperShift runs it. */
export const etcd = etcdComponent(mainCluster, [
  serviceAccount('etcd'),
  role('etcd-self-register', [
    rule('discovery.k8s.io', ['endpointslices'], ['get', 'create', 'update']),
    rule('', ['pods'], ['get']),
  ]),
  roleBinding('etcd-self-register', { serviceAccount: 'etcd' }),
  when(
    isHighlyAvailable,
    role('etcd-defrag-controller', [
      rule('coordination.k8s.io', ['leases'], ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']),
      rule('', ['configmaps'], ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']),
      rule('', ['events'], ['create', 'patch']),
    ]),
  ),
  when(isHighlyAvailable, roleBinding('etcd-defrag-controller', { serviceAccount: 'etcd' })),
]);

/** One etcd cluster with its Services; shards share the identity of the main one. */
export function etcdComponent(cluster: EtcdCluster, identity: readonly Manifest[]): Component {
  const { name, client, discovery } = cluster;
  return component(name, {
    kind: 'StatefulSet',
    enabled: isManaged,
    zones: true,
    managementKasAccess: true,
    ...(cluster.replicas === undefined ? {} : { replicas: cluster.replicas }),
    stateful: (context) => ({ serviceName: discovery, claims: cluster.claims(context) }),
    pod: (context) => ({
      serviceAccount: 'etcd',
      ...(isOpenShiftPayload(context) ? { initContainers: initContainers(cluster) } : {}),
      // A single program answers probes and serves metrics by itself; OpenShift's etcd needs help for both.
      containers: isOpenShiftPayload(context)
        ? [
            member(cluster, context),
            metricsProxy(context),
            healthz(context),
            ...(size(cluster, context) > 1 && isHighlyAvailable(context) ? [defrag(cluster)] : []),
          ]
        : [member(cluster, context)],
      volumes: {
        'peer-tls': secretVolume(`${name}-peer-tls`),
        'server-tls': secretVolume(`${name}-server-tls`),
        'client-tls': secretVolume('etcd-client-tls'),
        'etcd-ca': configMapVolume('etcd-ca'),
        'etcd-metrics-ca': configMapVolume('etcd-metrics-ca'),
        'cluster-state': scratch,
        ...(Object.keys(cluster.claims(context)).length === 0 ? { data: memoryScratch } : {}),
      },
    }),
    manifests: [
      service(
        client,
        { 'etcd-client': [2379, 'client'], metrics: [2381, 'metrics'] },
        { selector: { app: name }, labels: { app: name } },
      ),
      service(
        discovery,
        { peer: [2380, 'peer'], 'etcd-client': [2379, 'client'] },
        { selector: { app: name }, headless: true },
      ),
      ...(cluster.replicas === 1 ? [] : [podDisruptionBudget(name)]),
      ...identity,
      serviceMonitor(name, { port: 'metrics', serverName: client }),
    ],
  });
}

const size = ({ replicas }: EtcdCluster, context: ControlPlaneContext): number =>
  replicas ?? (isHighlyAvailable(context) ? 3 : 1);

function member(cluster: EtcdCluster, context: ControlPlaneContext): ContainerDeclaration {
  const { name, discovery } = cluster;
  const { namespace } = context;
  const peer = (host: string, inside: string): string => `https://${host}.${discovery}.${inside}.svc:2380`;
  const members = Array.from(
    { length: size(cluster, context) },
    (_, i) => `${name}-${i}=${peer(`${name}-${i}`, namespace)}`,
  );
  const { cipherSuites } = tlsProfileOf(context);
  const shell = isOpenShiftPayload(context);
  return {
    name: 'etcd',
    image: 'etcd',
    command: shell
      ? ['/bin/sh', '-c', 'ETCD_INITIAL_CLUSTER_STATE=$(cat /etc/etcd/clusterstate/state) exec /usr/bin/etcd']
      : ['etcd'],
    cpu: '300m',
    memory: '600Mi',
    ports: { client: 2379, peer: 2380, ...(shell ? {} : { metrics: 2382 }) },
    env: {
      POD_IP: podIP,
      NAMESPACE: podNamespace,
      HOSTNAME: podName,
      ETCD_NAME: '$(HOSTNAME)',
      ETCD_QUOTA_BACKEND_BYTES: '8589934592',
      ETCD_DATA_DIR: '/var/lib/data',
      ETCD_INITIAL_ADVERTISE_PEER_URLS: peer('$(HOSTNAME)', '$(NAMESPACE)'),
      ETCD_LISTEN_PEER_URLS: 'https://$(POD_IP):2380',
      ETCD_LISTEN_CLIENT_URLS: 'https://$(POD_IP):2379,https://localhost:2379',
      ETCD_ADVERTISE_CLIENT_URLS: `https://$(HOSTNAME).${discovery}.$(NAMESPACE).svc:2379`,
      ETCD_LISTEN_METRICS_URLS: shell ? 'https://0.0.0.0:2382' : 'http://0.0.0.0:2382',
      ETCD_SNAPSHOT_COUNT: '10000',
      ETCD_PEER_CLIENT_CERT_AUTH: 'true',
      ETCD_PEER_CERT_FILE: `${tls}/peer/peer.crt`,
      ETCD_PEER_KEY_FILE: `${tls}/peer/peer.key`,
      ETCD_PEER_TRUSTED_CA_FILE: `${tls}/etcd-ca/ca.crt`,
      ETCD_CLIENT_CERT_AUTH: 'true',
      ETCD_CERT_FILE: `${tls}/server/server.crt`,
      ETCD_KEY_FILE: `${tls}/server/server.key`,
      ETCD_TRUSTED_CA_FILE: `${tls}/etcd-ca/ca.crt`,
      ETCD_ENABLE_PPROF: 'true',
      ETCD_METRICS: 'extensive',
      ETCD_INITIAL_CLUSTER: members.join(','),
      ...(shell ? {} : { ETCD_INITIAL_CLUSTER_STATE: 'new' }),
      ETCD_TLS_MIN_VERSION: etcdTlsVersion(context),
      ...(cipherSuites.length > 0 ? { ETCD_CIPHER_SUITES: cipherSuites.join(',') } : {}),
    },
    mounts: {
      data: '/var/lib',
      'peer-tls': `${tls}/peer`,
      'server-tls': `${tls}/server`,
      'client-tls': `${tls}/client`,
      'etcd-ca': `${tls}/etcd-ca`,
      'cluster-state': '/etc/etcd/clusterstate',
    },
    ...(shell
      ? {
          startup: https('readyz', 9980, { period: 10, timeout: 10, failures: 18 }),
          readiness: https('readyz', 9980, { period: 5, timeout: 10, failures: 15 }),
          liveness: https('healthz', 9980, { period: 5, timeout: 30, failures: 5 }),
        }
      : { readiness: http('/health', 2382, { period: 5, timeout: 10, failures: 15 }) }),
  };
}

/** Serves metrics to scrapers that hold no certificate of etcd's own authority. */
function metricsProxy(context: ControlPlaneContext): ContainerDeclaration {
  const { cipherSuites } = tlsProfileOf(context);
  return {
    name: 'etcd-metrics',
    image: 'etcd',
    command: ['etcd'],
    args: [
      'grpc-proxy',
      'start',
      '--endpoints=https://localhost:2382',
      `--key=${tls}/peer/peer.key`,
      `--key-file=${tls}/server/server.key`,
      `--cert=${tls}/peer/peer.crt`,
      `--cert-file=${tls}/server/server.crt`,
      `--cacert=${tls}/etcd-ca/ca.crt`,
      `--trusted-ca-file=${tls}/etcd-metrics-ca/ca.crt`,
      '--listen-addr=127.0.0.1:2383',
      '--metrics-addr=https://0.0.0.0:2381',
      '--advertise-client-url=',
      `--tls-min-version=${etcdTlsVersion(context)}`,
      ...(cipherSuites.length > 0 ? [`--listen-cipher-suites=${cipherSuites.join(',')}`] : []),
    ],
    cpu: '40m',
    memory: '200Mi',
    ports: { metrics: 2381 },
    mounts: {
      'peer-tls': `${tls}/peer`,
      'server-tls': `${tls}/server`,
      'etcd-ca': `${tls}/etcd-ca`,
      'etcd-metrics-ca': `${tls}/etcd-metrics-ca`,
    },
  };
}

/** Answers probes, which cannot speak etcd's protocol. */
function healthz(context: ControlPlaneContext): ContainerDeclaration {
  const { cipherSuites } = tlsProfileOf(context);
  return {
    name: 'healthz',
    image: 'cluster-etcd-operator',
    command: ['cluster-etcd-operator'],
    args: [
      'readyz',
      '--target=https://localhost:2379',
      '--listen-port=9980',
      `--serving-cert-file=${tls}/server/server.crt`,
      `--serving-key-file=${tls}/server/server.key`,
      `--client-cert-file=${tls}/client/etcd-client.crt`,
      `--client-key-file=${tls}/client/etcd-client.key`,
      `--client-cacert-file=${tls}/etcd-ca/ca.crt`,
      `--listen-tls-min-version=${etcdTlsVersion(context)}`,
      ...(cipherSuites.length > 0 ? [`--listen-cipher-suites=${cipherSuites.join(',')}`] : []),
    ],
    cpu: '10m',
    memory: '50Mi',
    ports: { healthz: 9980 },
    mounts: { 'server-tls': `${tls}/server`, 'client-tls': `${tls}/client`, 'etcd-ca': `${tls}/etcd-ca` },
  };
}

function defrag({ shard }: EtcdCluster): ContainerDeclaration {
  return {
    name: 'etcd-defrag',
    image: 'controlplane-operator',
    command: ['control-plane-operator'],
    args: [
      'etcd-defrag-controller',
      '--namespace',
      '$(NAMESPACE)',
      ...(shard ? ['--leader-election-id', `etcd-defrag-${shard}-leader-elect`] : []),
    ],
    cpu: '10m',
    memory: '50Mi',
    env: { NAMESPACE: podNamespace, POD_NAME: podName },
    mounts: { 'client-tls': `${tls}/client`, 'etcd-ca': `${tls}/etcd-ca` },
  };
}

function initContainers(cluster: EtcdCluster): readonly ContainerDeclaration[] {
  return [
    {
      name: 'ensure-dns',
      image: 'controlplane-operator',
      command: ['/bin/bash'],
      args: [
        '-c',
        `exec control-plane-operator resolve-dns --self-register \${HOSTNAME}.${cluster.discovery}.\${NAMESPACE}.svc`,
      ],
      env: { NAMESPACE: podNamespace, POD_IP: podIP },
    },
    {
      name: 'reset-member',
      image: 'etcd',
      command: ['/bin/bash'],
      args: ['-c', memberReset(cluster)],
      env: { NAMESPACE: podNamespace },
      mounts: {
        data: '/var/lib',
        'server-tls': `${tls}/server`,
        'etcd-ca': `${tls}/etcd-ca`,
        'cluster-state': '/etc/etcd/clusterstate',
      },
    },
  ];
}
