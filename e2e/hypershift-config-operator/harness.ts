import { type HostedControlPlane, hostedControlPlanes, managementCrds } from '@hypershift-ts/hypershift-api';
import { type ConfigOperatorOptions, runHostedClusterConfigOperator } from '@hypershift-ts/hypershift-config-operator';
import { EmbeddedCatalogue, embeddedReleaseImage, embeddedReleases } from '@hypershift-ts/hypershift-release';
import { apiextensionsv1, corev1, rbacv1, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { vi } from 'vitest';

export const namespace = 'clusters-demo';
export const key = { namespace, name: 'demo' };
export const version = embeddedReleases[0]!.version;
export const image = embeddedReleaseImage(version);
export const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 25 });

/** A management cluster with a control plane, and the hosted cluster it would run. */
export interface TwoClusters {
  readonly management: EmbeddedCluster;
  readonly hosted: EmbeddedCluster;
  readonly client: Client;
  readonly guest: Client;
  controlPlane(): Promise<HostedControlPlane>;
  /** Requests of the operator that changed something, in either cluster. */
  readonly writes: string[];
  /** Starts the operator; the answer stops it and waits. */
  run(options?: Partial<ConfigOperatorOptions>): () => Promise<void>;
  stop(): Promise<void>;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const published = (service: string) => ({
  service,
  servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
});

/** Messages that tests may look at. */
export function memoryLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const add = (fields: object, message: string) =>
    void lines.push(`${message} ${(fields as { err?: Error }).err?.message ?? ''}`);
  const logger = { lines, debug() {}, info() {}, warn: add, error: add, child: () => logger };
  return logger;
}

export async function startTwoClusters(
  spec: object = {},
  options: { readonly hosted?: Promise<EmbeddedCluster> } = {},
): Promise<TwoClusters> {
  const [management, hosted] = await Promise.all([
    EmbeddedCluster.start({ controllers: false }),
    options.hosted ?? EmbeddedCluster.start({ controllers: false, nodes: [] }),
  ]);
  const client = management.client();
  const guest = hosted.client();
  for (const crd of [...managementCrds('Default'), ...clusterApiCrds()])
    await client.create(apiextensionsv1.customresourcedefinitions, crd as never);
  await eventually(async () => void (await client.list(hostedControlPlanes)));
  await client.create(corev1.namespaces, { metadata: { name: namespace } });
  await copyInputs(client);
  await allowOperator(client);
  await client.create(hostedControlPlanes, {
    metadata: key,
    spec: {
      releaseImage: image,
      infraID: 'demo-abcde',
      clusterID: '00000000-0000-4000-8000-000000000001',
      issuerURL: 'https://kubernetes.default.svc',
      pullSecret: { name: 'pull-secret' },
      sshKey: {},
      dns: { baseDomain: 'example.com' },
      platform: { type: 'None' },
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
      },
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map(published),
      ...spec,
    },
  } as never);
  const status = { controlPlaneEndpoint: { host: 'api.demo.example.com', port: 6443 }, initialized: true, ready: true };
  await client.patch(hostedControlPlanes, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  const writes: string[] = [];
  return {
    management,
    hosted,
    writes,
    client,
    guest,
    controlPlane: () => client.get(hostedControlPlanes, key),
    run: (more = {}) => {
      const stopper = new AbortController();
      const running = runHostedClusterConfigOperator({
        managementClient: recorded(management.client(operatorUser), writes),
        hostedClient: recorded(
          hosted.client({ name: 'system:hosted-cluster-config', groups: ['system:masters'] }),
          writes,
        ),
        namespace,
        hostedControlPlaneName: 'demo',
        releases: new EmbeddedCatalogue(),
        konnectivity: { host: 'konnectivity.example.com', port: 443 },
        clock: systemClock,
        logger: memoryLogger(),
        signal: stopper.signal,
        ...more,
      });
      return async () => {
        stopper.abort();
        await running;
      };
    },
    async stop() {
      await Promise.all([management.stop(), hosted.stop()]);
    },
  };
}

/** The operator as its own service account, with nothing but what its Role in the control plane's namespace allows. */
const operatorUser = {
  name: `system:serviceaccount:${namespace}:hosted-cluster-config-operator`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
};

async function allowOperator(client: Client): Promise<void> {
  const name = 'hosted-cluster-config-operator';
  const rule = (group: string, resources: readonly string[], verbs: readonly string[]) => ({
    apiGroups: [group],
    resources,
    verbs,
  });
  const read = ['get', 'list', 'watch'];
  const write = ['patch', 'update'];
  await client.create(rbacv1.roles, {
    metadata: { namespace, name },
    rules: [
      rule('', ['configmaps'], [...read, ...write, 'create', 'delete']),
      rule('apps', ['deployments'], [...read, ...write]),
      rule('hypershift.openshift.io', ['hostedcontrolplanes'], read),
      rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], write),
      rule('', ['secrets', 'services'], [...read, ...write]),
      rule('cluster.x-k8s.io', ['machinesets', 'machines'], [...read, ...write, 'delete']),
      rule('discovery.k8s.io', ['endpointslices'], [...read, ...write, 'create']),
    ],
  });
  await client.create(rbacv1.rolebindings, {
    metadata: { namespace, name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  });
}

/** The client, with every write noted. */
function recorded(client: Client, writes: string[]): Client {
  const verbs = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deleteCollection']);
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (!verbs.has(String(name))) return value.bind(target);
      return (type: { kind: string }, object: { name?: string; metadata?: { name?: string } }, ...rest: unknown[]) => {
        writes.push(`${String(name)} ${type.kind} ${object.metadata?.name ?? object.name}`);
        return value.call(target, type, object, ...rest);
      };
    },
  });
}

/** What the control plane operator and the PKI put into the namespace. */
async function copyInputs(client: Client): Promise<void> {
  const secret = (name: string, data: Record<string, string>, type = 'Opaque') =>
    client.create(corev1.secrets, {
      metadata: { namespace, name },
      type,
      data: Object.fromEntries(Object.entries(data).map(([entry, value]) => [entry, base64(value)])),
    });
  const configMap = (name: string, data: Record<string, string>) =>
    client.create(corev1.configmaps, { metadata: { namespace, name }, data });
  await secret('pull-secret', { '.dockerconfigjson': '{"auths":{}}' }, 'kubernetes.io/dockerconfigjson');
  await secret('konnectivity-agent', { 'tls.crt': 'agent certificate', 'tls.key': 'agent key' });
  await secret('kubeadmin-password', { password: 'aaaaa-bbbbb-ccccc-ddddd' });
  await secret('ingress-crt', { 'tls.crt': 'ingress certificate', 'tls.key': 'ingress key' });
  await configMap('konnectivity-ca-bundle', { 'ca.crt': 'konnectivity CA' });
  await configMap('kubelet-client-ca', { 'ca.crt': 'cluster signer CA' });
  await configMap('root-ca', { 'ca.crt': 'root CA' });
}
