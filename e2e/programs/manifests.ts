import { appsv1, corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client, NewObject } from '@hypershift-ts/kube-client';
import {
  type CertificateAuthority,
  createAuthority,
  generateKeys,
  type IssuedCertificate,
  issue,
  kubeconfigFor,
  privateKeyPem,
  publicKeyPem,
} from '@hypershift-ts/kube-pki';

/** The keys of one hosted control plane. */
export interface HostedPki {
  readonly rootCa: CertificateAuthority;
  readonly clientCa: CertificateAuthority;
  readonly etcdCa: CertificateAuthority;
  readonly etcdServer: IssuedCertificate;
  readonly etcdClient: IssuedCertificate;
  readonly serving: IssuedCertificate;
  readonly kubeconfigs: Readonly<Record<'admin' | 'kcm' | 'scheduler', string>>;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

export async function hostedPki(namespace: string, now = Date.now()): Promise<HostedPki> {
  const authority = (commonName: string) => createAuthority({ subject: { commonName }, now });
  const [rootCa, clientCa, etcdCa] = await Promise.all([
    authority('root-ca'),
    authority('client-ca'),
    authority('etcd-ca'),
  ]);
  const client = (commonName: string, organizations: string[] = []) =>
    issue(clientCa, { subject: { commonName, organizations }, role: 'client', now });
  const kubeconfig = async (commonName: string, organizations?: string[]) => {
    const { certificatePem, keyPem } = await client(commonName, organizations);
    return JSON.stringify(
      kubeconfigFor({
        server: 'https://kube-apiserver:6443',
        certificateAuthority: rootCa.certificatePem,
        credentials: { certificatePem, keyPem },
      }),
    );
  };
  const etcdNames = [
    `etcd-client.${namespace}.svc`,
    `*.etcd-client.${namespace}.svc`,
    `*.etcd-discovery.${namespace}.svc`,
  ];
  const keys = await generateKeys('P-256');
  return {
    rootCa,
    clientCa,
    etcdCa,
    etcdServer: await issue(etcdCa, {
      subject: { commonName: 'etcd-server' },
      role: 'peer',
      dnsNames: etcdNames,
      // Members check where their peers call from, and on one machine that is here.
      ipAddresses: ['127.0.0.1'],
      now,
    }),
    etcdClient: await issue(etcdCa, { subject: { commonName: 'etcd-client' }, role: 'client', now }),
    serving: await servingCertificate(rootCa, namespace, now),
    kubeconfigs: {
      admin: await kubeconfig('system:admin', ['system:masters']),
      kcm: await kubeconfig('system:kube-controller-manager'),
      scheduler: await kubeconfig('system:kube-scheduler'),
    },
    serviceAccountKey: privateKeyPem(keys),
    serviceAccountPublicKey: publicKeyPem(keys),
  };
}

export function servingCertificate(rootCa: CertificateAuthority, namespace: string, now = Date.now()) {
  return issue(rootCa, {
    subject: { commonName: 'kube-apiserver' },
    role: 'server',
    dnsNames: ['kube-apiserver', `kube-apiserver.${namespace}.svc`, 'kubernetes.default.svc', 'localhost'],
    ipAddresses: ['127.0.0.1'],
    now,
  });
}

export const tlsData = ({ certificatePem, keyPem }: IssuedCertificate) => ({
  'tls.crt': base64(certificatePem),
  'tls.key': base64(keyPem),
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

export interface HostedOptions {
  readonly namespace: string;
  readonly pki: HostedPki;
  readonly etcdMembers?: number;
  readonly apiServers?: number;
  /** Claims instead of scratch space, so that data outlives pods. */
  readonly persistent?: boolean;
  /** The KubeAPIServerConfig form of the manifest. */
  readonly openshiftConfig?: boolean;
  readonly etcdImage?: string;
}

/** Secrets, Services and workloads of one hosted control plane, as a user could write them by hand. */
export async function applyHosted(client: Client, options: HostedOptions): Promise<void> {
  const { namespace, pki } = options;
  await client.create(corev1.namespaces, { metadata: { name: namespace } });
  const secret = (name: string, data: Record<string, string>) =>
    client.create(corev1.secrets, { metadata: { name, namespace }, data });
  const service = (name: string, app: string, port: number, more: object = {}) =>
    client.create(corev1.services, {
      metadata: { name, namespace },
      spec: { selector: { app }, ports: [{ name: 'https', port, targetPort: port }], ...more },
    });
  const bundle = { 'ca.crt': base64(pki.etcdCa.certificatePem) };
  await Promise.all([
    secret('etcd-server-tls', { ...tlsData(pki.etcdServer), ...bundle }),
    secret('etcd-client-tls', { ...tlsData(pki.etcdClient), ...bundle }),
    secret('kas-server-crt', tlsData(pki.serving)),
    secret('client-ca', { 'ca.crt': base64(pki.clientCa.certificatePem) }),
    secret('sa-signing-key', {
      'service-account.key': base64(pki.serviceAccountKey),
      'service-account.pub': base64(pki.serviceAccountPublicKey),
    }),
    secret('root-ca', { 'ca.crt': base64(pki.rootCa.certificatePem) }),
    secret('cluster-signer-ca', tlsData(pki.clientCa)),
    secret('kcm-kubeconfig', { kubeconfig: base64(pki.kubeconfigs.kcm) }),
    secret('scheduler-kubeconfig', { kubeconfig: base64(pki.kubeconfigs.scheduler) }),
    service('etcd-client', 'etcd', 2379),
    service('etcd-discovery', 'etcd', 2380, { clusterIP: 'None', publishNotReadyAddresses: true }),
    service('kube-apiserver', 'kube-apiserver', 6443),
    ...(options.openshiftConfig ? [openshiftConfig(client, namespace)] : []),
  ]);
  await client.create(appsv1.statefulsets, etcd(options));
  await client.create(appsv1.deployments, apiServer(options));
  await client.create(appsv1.deployments, controllerManager(namespace));
  await client.create(appsv1.deployments, scheduler(namespace));
}

const secretVolume = (name: string, secretName: string): corev1.Volume => ({ name, secret: { secretName } });

function etcd({
  namespace,
  etcdMembers = 1,
  persistent,
  etcdImage = 'example.org/etcd:v1',
}: HostedOptions): NewObject<appsv1.StatefulSet> {
  const members = Array.from(
    { length: etcdMembers },
    (_, i) => `etcd-${i}=https://etcd-${i}.etcd-discovery.${namespace}.svc:2380`,
  );
  // A claim of the same name takes the place of the scratch space.
  const data: corev1.Volume[] = [{ name: 'data', emptyDir: {} }];
  return {
    metadata: { name: 'etcd', namespace },
    spec: {
      serviceName: 'etcd-discovery',
      replicas: etcdMembers,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: { app: 'etcd' } },
      ...(persistent
        ? {
            volumeClaimTemplates: [
              {
                apiVersion: 'v1',
                kind: 'PersistentVolumeClaim',
                metadata: { name: 'data' },
                spec: {
                  accessModes: ['ReadWriteOnce'],
                  resources: { requests: { storage: '1Gi' } },
                  storageClassName: 'local',
                },
              },
            ],
          }
        : {}),
      template: {
        metadata: { labels: { app: 'etcd' } },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 5,
          containers: [
            {
              name: 'etcd',
              image: etcdImage,
              command: ['/usr/bin/etcd'],
              env: [
                { name: 'ETCD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
              ],
              args: [
                '--data-dir=/var/lib/data',
                '--listen-client-urls=https://$(POD_IP):2379',
                '--listen-peer-urls=https://$(POD_IP):2380',
                '--listen-metrics-urls=http://$(POD_IP):2382',
                `--advertise-client-urls=https://$(ETCD_NAME).etcd-client.${namespace}.svc:2379`,
                `--initial-advertise-peer-urls=https://$(ETCD_NAME).etcd-discovery.${namespace}.svc:2380`,
                `--initial-cluster=${members.join(',')}`,
                '--initial-cluster-state=new',
                '--quota-backend-bytes=8589934592',
                '--client-cert-auth',
                '--cert-file=/etc/etcd/tls/server/tls.crt',
                '--key-file=/etc/etcd/tls/server/tls.key',
                '--trusted-ca-file=/etc/etcd/tls/server/ca.crt',
                '--peer-client-cert-auth',
                '--peer-cert-file=/etc/etcd/tls/server/tls.crt',
                '--peer-key-file=/etc/etcd/tls/server/tls.key',
                '--peer-trusted-ca-file=/etc/etcd/tls/server/ca.crt',
              ],
              readinessProbe: { httpGet: { path: '/health', port: 2382 }, periodSeconds: 1, failureThreshold: 1 },
              volumeMounts: [
                { name: 'data', mountPath: '/var/lib/data' },
                { name: 'server-tls', mountPath: '/etc/etcd/tls/server' },
              ],
            },
          ],
          volumes: [...data, secretVolume('server-tls', 'etcd-server-tls')],
        },
      },
    },
  };
}

const kasArguments = (namespace: string): Readonly<Record<string, string>> => ({
  'advertise-address': '172.20.0.1',
  'service-account-issuer': 'https://kubernetes.default.svc',
  'api-audiences': 'https://kubernetes.default.svc',
  'service-account-signing-key-file': '/etc/kubernetes/sa/service-account.key',
  'etcd-servers': `https://etcd-client.${namespace}.svc:2379`,
  'etcd-cafile': '/etc/kubernetes/etcd/ca.crt',
  'etcd-certfile': '/etc/kubernetes/etcd/tls.crt',
  'etcd-keyfile': '/etc/kubernetes/etcd/tls.key',
  'anonymous-auth': 'true',
  'shutdown-delay-duration': '70s',
  'audit-log-path': '/var/log/kube-apiserver/audit.log',
});

function openshiftConfig(client: Client, namespace: string) {
  const config = {
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeAPIServerConfig',
    apiServerArguments: {
      ...Object.fromEntries(Object.entries(kasArguments(namespace)).map(([name, value]) => [name, [value]])),
      'authorization-mode': ['Scope', 'SystemMasters', 'RBAC', 'Node'],
      'etcd-prefix': ['kubernetes.io'],
      'goaway-chance': ['0.001'],
    },
    servingInfo: {
      bindAddress: '0.0.0.0:6443',
      certFile: '/etc/kubernetes/server/tls.crt',
      keyFile: '/etc/kubernetes/server/tls.key',
      clientCA: '/etc/kubernetes/client-ca/ca.crt',
    },
    serviceAccountPublicKeyFiles: ['/etc/kubernetes/sa/service-account.pub'],
    servicesSubnet: '172.31.0.0/16',
  };
  return client.create(corev1.configmaps, {
    metadata: { name: 'kas-config', namespace },
    data: { 'config.json': JSON.stringify(config) },
  });
}

function apiServer({ namespace, apiServers = 1, openshiftConfig: asFile }: HostedOptions) {
  const flags = {
    ...kasArguments(namespace),
    'secure-port': '6443',
    'tls-cert-file': '/etc/kubernetes/server/tls.crt',
    'tls-private-key-file': '/etc/kubernetes/server/tls.key',
    'client-ca-file': '/etc/kubernetes/client-ca/ca.crt',
    'service-account-key-file': '/etc/kubernetes/sa/service-account.pub',
    'service-cluster-ip-range': '172.31.0.0/16',
    'authorization-mode': 'Node,RBAC',
    'encryption-provider-config': '/etc/kubernetes/encryption/config.yaml',
  };
  const mounts = {
    server: '/etc/kubernetes/server',
    'client-ca': '/etc/kubernetes/client-ca',
    sa: '/etc/kubernetes/sa',
    etcd: '/etc/kubernetes/etcd',
  };
  return deployment(namespace, 'kube-apiserver', apiServers, {
    containers: [
      {
        name: 'kube-apiserver',
        image: 'example.org/hyperkube:v1',
        command: ['hyperkube'],
        args: asFile
          ? ['kube-apiserver', '--openshift-config=/etc/kubernetes/config/config.json', '-v=2']
          : ['kube-apiserver', ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)],
        ports: [{ name: 'https', containerPort: 6443 }],
        readinessProbe: {
          httpGet: { path: '/readyz', port: 6443, scheme: 'HTTPS' },
          periodSeconds: 1,
          failureThreshold: 1,
        },
        volumeMounts: [
          ...Object.entries(mounts).map(([name, mountPath]) => ({ name, mountPath })),
          { name: 'logs', mountPath: '/var/log/kube-apiserver' },
          ...(asFile ? [{ name: 'config', mountPath: '/etc/kubernetes/config' }] : []),
        ],
      },
    ],
    volumes: [
      secretVolume('server', 'kas-server-crt'),
      secretVolume('client-ca', 'client-ca'),
      secretVolume('sa', 'sa-signing-key'),
      secretVolume('etcd', 'etcd-client-tls'),
      { name: 'logs', emptyDir: {} },
      ...(asFile ? [{ name: 'config', configMap: { name: 'kas-config' } }] : []),
    ],
  });
}

function controllerManager(namespace: string) {
  return deployment(namespace, 'kube-controller-manager', 1, {
    containers: [
      {
        name: 'kube-controller-manager',
        image: 'example.org/hyperkube:v1',
        command: ['hyperkube', 'kube-controller-manager'],
        args: [
          '--kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
          '--authentication-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
          '--authorization-kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
          '--root-ca-file=/etc/kubernetes/root-ca/ca.crt',
          '--service-account-private-key-file=/etc/kubernetes/sa/service-account.key',
          '--cluster-signing-cert-file=/etc/kubernetes/signer/tls.crt',
          '--cluster-signing-key-file=/etc/kubernetes/signer/tls.key',
          '--cluster-signing-duration=17520h',
          '--controllers=*,-ttl,-bootstrapsigner,-tokencleaner',
          '--use-service-account-credentials=true',
          '--allocate-node-cidrs=false',
          '--node-monitor-grace-period=50s',
          '--leader-elect-lease-duration=60s',
          '--leader-elect-renew-deadline=40s',
          '--leader-elect-retry-period=15s',
        ],
        readinessProbe: { httpGet: { path: '/healthz', port: 10257, scheme: 'HTTPS' }, periodSeconds: 1 },
        volumeMounts: [
          { name: 'kubeconfig', mountPath: '/etc/kubernetes/kubeconfig' },
          { name: 'root-ca', mountPath: '/etc/kubernetes/root-ca' },
          { name: 'sa', mountPath: '/etc/kubernetes/sa' },
          { name: 'signer', mountPath: '/etc/kubernetes/signer' },
        ],
      },
    ],
    volumes: [
      secretVolume('kubeconfig', 'kcm-kubeconfig'),
      secretVolume('root-ca', 'root-ca'),
      secretVolume('sa', 'sa-signing-key'),
      secretVolume('signer', 'cluster-signer-ca'),
    ],
  });
}

function scheduler(namespace: string) {
  return deployment(namespace, 'kube-scheduler', 1, {
    containers: [
      {
        name: 'kube-scheduler',
        image: 'example.org/hyperkube:v1',
        command: ['hyperkube', 'kube-scheduler'],
        args: [
          '--kubeconfig=/etc/kubernetes/kubeconfig/kubeconfig',
          '--leader-elect-lease-duration=60s',
          '--leader-elect-renew-deadline=40s',
          '--leader-elect-retry-period=15s',
        ],
        readinessProbe: { httpGet: { path: '/healthz', port: 10259, scheme: 'HTTPS' }, periodSeconds: 1 },
        volumeMounts: [{ name: 'kubeconfig', mountPath: '/etc/kubernetes/kubeconfig' }],
      },
    ],
    volumes: [secretVolume('kubeconfig', 'scheduler-kubeconfig')],
  });
}

function deployment(namespace: string, name: string, replicas: number, spec: corev1.PodSpec) {
  return {
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { automountServiceAccountToken: false, terminationGracePeriodSeconds: 5, ...spec },
      },
    },
  };
}

const storageclasses: ResourceType<KubeObject & { provisioner: string }> = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  resource: 'storageclasses',
  namespaced: false,
};

/** The class of the claims of persistent members. */
export async function createLocalStorageClass(client: Client): Promise<void> {
  await client.create(storageclasses, { metadata: { name: 'local' }, provisioner: 'hypershift-ts.io/local' });
}
