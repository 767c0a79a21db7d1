import { type HostedControlPlane, hostedControlPlanes, managementCrds } from '@hypershift-ts/hypershift-api';
import {
  type ControlPlaneOperatorOptions,
  controlPlaneOperator,
  type NetworkChecks,
  networkChecks,
  runControlPlaneOperator,
} from '@hypershift-ts/hypershift-control-plane';
import { createReleaseProvider, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import {
  apiextensionsv1,
  appsv1,
  type Condition,
  corev1,
  findCondition,
  type KubeObject,
  schedulingv1,
  storagev1,
  isConditionTrue,
} from '@hypershift-ts/kube-apimachinery';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { KeyPool } from '@hypershift-ts/kube-pki';
import { controlPlanePrograms, ProcessDirectory } from '@hypershift-ts/kube-programs';

/** A management cluster whose node runs the hosted control planes' own programs; other images are simulated. */
export interface Management {
  readonly cluster: EmbeddedCluster;
  readonly client: Client;
  readonly directory: ProcessDirectory;
  readonly requests: AuditEvent[];
  readonly keys: KeyPool;
  stop(): Promise<void>;
}

const operatorAgent = 'control-plane-operator';

/** Helpers of the control plane that a hosted API server without OpenShift's own kinds would make wait forever. */
const simulated = new Set(['control-plane-operator']);

/** With `zones`, as many nodes, each in a zone of its own. */
export async function startManagement({ zones = 1 } = {}): Promise<Management> {
  const directory = new ProcessDirectory();
  const builtin = new BuiltinRegistry();
  for (const entry of controlPlanePrograms({ directory })) if (!simulated.has(entry.name)) builtin.register(entry);
  const requests: AuditEvent[] = [];
  const cluster = await EmbeddedCluster.start({
    apiServer: { audit: (event) => requests.push(event) },
    nodes: Array.from({ length: zones }, (_, i) => ({
      name: `node-${i + 1}`,
      labels: { 'topology.kubernetes.io/zone': `zone-${i + 1}` },
      capacity: { cpu: '64', memory: '256Gi', pods: '2000' },
      // The one Job of a control plane is quick where it really runs.
      runtimes: { builtin, simulated: { jobSeconds: 0.05 } },
    })),
  });
  const client = cluster.client();
  const crds = managementCrds('Default') as unknown as apiextensionsv1.CustomResourceDefinition[];
  await Promise.all(crds.map((crd) => client.create(apiextensionsv1.customresourcedefinitions, crd)));
  for (const [name, value] of Object.entries({
    etcd: 100_002_000,
    'api-critical': 100_001_000,
    'control-plane': 100_000_000,
  })) {
    await client.create(schedulingv1.priorityclasses, { metadata: { name: `hypershift-${name}` }, value });
  }
  await client.create(storagev1.storageclasses, {
    metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'hypershift-ts.io/local',
  });
  const keys = new KeyPool({ size: { 'RSA-2048': 2 } });
  await keys.fill();
  return {
    cluster,
    client,
    directory,
    requests,
    keys,
    async stop() {
      keys.close();
      await cluster.stop();
    },
  };
}

export interface ControlPlaneWishes {
  readonly version?: string;
  readonly availability?: 'SingleReplica' | 'HighlyAvailable';
  readonly spec?: object;
}

/** What the HyperShift operator would have made: the namespace, copied Secrets and the HostedControlPlane. */
export async function createControlPlane(
  client: Client,
  namespace: string,
  wishes: ControlPlaneWishes = {},
): Promise<void> {
  const { version = '4.20.8', availability = 'SingleReplica' } = wishes;
  await client.create(corev1.namespaces, { metadata: { name: namespace } });
  await client.create(corev1.secrets, {
    metadata: { name: 'pull-secret', namespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from('{"auths":{}}').toString('base64') },
  });
  await createOperatorIdentity(client, namespace);
  const local = (service: string) => ({
    service,
    servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
  });
  const hcp = {
    metadata: { name: 'demo', namespace },
    spec: {
      releaseImage: embeddedReleaseImage(version),
      pullSecret: { name: 'pull-secret' },
      sshKey: {},
      dns: { baseDomain: 'example.com' },
      infraID: 'demo-x7x2k',
      issuerURL: 'https://kubernetes.default.svc',
      platform: { type: 'None' },
      networking: {
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
        networkType: 'OVNKubernetes',
      },
      controllerAvailabilityPolicy: availability,
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      services: [
        { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
        local('OAuthServer'),
        local('Konnectivity'),
        local('Ignition'),
      ],
      ...wishes.spec,
    },
  };
  await client.create(hostedControlPlanes, hcp as unknown as HostedControlPlane);
}

/** Service account and rights of the operator, as the HyperShift operator makes them: it gets no other. */
async function createOperatorIdentity(client: Client, namespace: string): Promise<void> {
  const name = 'control-plane-operator';
  const wanted = controlPlaneOperator.manifests.filter(({ type }) => type.group === 'rbac.authorization.k8s.io');
  await client.create(corev1.serviceaccounts, { metadata: { name, namespace } });
  for (const manifest of wanted) {
    const body = manifest.build({ namespace } as never, undefined);
    await client.create(manifest.type, { metadata: { name, namespace }, ...body } as KubeObject);
  }
}

const operatorUser = (namespace: string) => ({
  name: `system:serviceaccount:${namespace}:control-plane-operator`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
});

/** An operator that runs in this process until stopped. */
export interface RunningOperator {
  stop(): Promise<void>;
}

export function startOperator(
  management: Management,
  namespace: string,
  options: Partial<ControlPlaneOperatorOptions> = {},
): RunningOperator {
  const stopper = new AbortController();
  const running = runControlPlaneOperator({
    client: management.cluster.client(operatorUser(namespace), operatorAgent),
    namespace,
    releases: createReleaseProvider({ registry: false }),
    keys: management.keys.take,
    logger: quietLogger,
    ...options,
    signal: stopper.signal,
  });
  running.catch((error: unknown) => process.stderr.write(`operator: ${String(error)}\n`));
  return {
    async stop() {
      stopper.abort();
      await running.catch(() => {});
    },
  };
}

const quietLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields: object, text?: string) => {
    if (process.env['VERBOSE']) process.stderr.write(`${text} ${String((fields as { err?: Error }).err?.message)}\n`);
  },
  child: () => quietLogger,
};

export const getControlPlane = (client: Client, namespace: string): Promise<HostedControlPlane> =>
  client.get(hostedControlPlanes, { namespace, name: 'demo' });

export async function conditionOf(client: Client, namespace: string, type: string): Promise<Condition | undefined> {
  return findCondition((await getControlPlane(client, namespace)).status?.conditions, type);
}

/** Follows the HostedControlPlane until a condition holds; fails with everything it knows. */
export async function untilControlPlane(
  client: Client,
  namespace: string,
  test: (hcp: HostedControlPlane) => boolean,
  timeoutMs = 60_000,
): Promise<HostedControlPlane> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const options = {
      namespace,
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      signal: limit.signal,
    } as const;
    for await (const { type, object } of client.watch(hostedControlPlanes, options)) {
      if (type !== 'BOOKMARK' && test(object)) return object;
    }
  } catch (error) {
    if (!limit.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`not in ${timeoutMs} ms\n${await describeNamespace(client, namespace)}`);
}

export const isAvailable = (hcp: HostedControlPlane): boolean => isConditionTrue(hcp.status?.conditions, 'Available');

/** The hosted cluster by the administrator's kubeconfig, as a user gets it. */
export async function hostedAdmin(client: Client, namespace: string): Promise<HttpClient> {
  const secret = await client.get(corev1.secrets, { namespace, name: 'admin-kubeconfig' });
  const text = Buffer.from(secret.data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  return new HttpClient(clusterConfigFrom(parseKubeconfig(text, 'test', '/')));
}

/** What a person would look at first when a control plane does not come up. */
export async function describeNamespace(client: Client, namespace: string): Promise<string> {
  const hcp = await getControlPlane(client, namespace).catch(() => undefined);
  const { items: pods } = await client.list(corev1.pods, { namespace });
  const { items: deployments } = await client.list(appsv1.deployments, { namespace });
  const line = (object: KubeObject, text: unknown) => `${object.metadata.name}: ${JSON.stringify(text)}`;
  const { items: events } = await client.list(corev1.events, { namespace });
  const { items: components } = await client.list(
    {
      group: 'hypershift.openshift.io',
      version: 'v1beta1',
      kind: 'ControlPlaneComponent',
      resource: 'controlplanecomponents',
      namespaced: true,
    },
    { namespace },
  );
  return [
    ...(hcp?.status?.conditions ?? []).map(
      ({ type, status, reason, message }) => `${type}=${status} ${reason} ${message}`,
    ),
    ...components.map((one) => {
      const { conditions = [] } = (one as { status?: { conditions?: Condition[] } }).status ?? {};
      return line(
        one,
        conditions.filter(({ status }) => status !== 'True').map(({ type, message }) => `${type}: ${message}`),
      );
    }),
    ...pods
      .filter(({ status }) => status?.phase !== 'Running' || status.containerStatuses?.some(({ ready }) => !ready))
      .map((pod) =>
        line(pod, [
          pod.status?.phase,
          pod.status?.conditions?.filter(({ status }) => status !== 'True'),
          pod.status?.containerStatuses?.filter(({ ready }) => !ready),
        ]),
      ),
    `${deployments.length} deployments`,
    ...events
      .filter(({ type }) => type === 'Warning')
      .map(({ involvedObject, message }) => `${involvedObject.name}: ${message}`),
  ].join('\n');
}

/** What the operator itself changed since the list was emptied. */
export function operatorWrites({ requests }: Management): readonly AuditEvent[] {
  return requests.filter(
    ({ verb, userAgent, stage }) =>
      userAgent === operatorAgent && stage === 'ResponseComplete' && !['get', 'list', 'watch'].includes(verb ?? ''),
  );
}

/** Starts an operator and answers when it has been through everything once; earlier requests are forgotten. */
export async function untilReconciled(management: Management, namespace: string): Promise<RunningOperator> {
  management.requests.length = 0;
  let asked = () => {};
  const reached = new Promise<void>((resolve) => {
    asked = resolve;
  });
  // The published address is asked after all steps, right before the status is written.
  const checks: NetworkChecks = {
    ...networkChecks,
    async apiServerHealth(target, signal) {
      const found = await networkChecks.apiServerHealth(target, signal);
      asked();
      return found;
    },
  };
  const operator = startOperator(management, namespace, { checks });
  await reached;
  await new Promise((resolve) => setTimeout(resolve, 300));
  return operator;
}

/** Repeats until it neither throws nor answers false. */
export async function eventually<T>(
  work: () => Promise<T>,
  what: string,
  timeoutMs = 60_000,
): Promise<Exclude<T, false>> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  do {
    try {
      const result = await work();
      if (result !== false) return result as Exclude<T, false>;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (Date.now() < end);
  throw new Error(`${what}: not in ${timeoutMs} ms${last instanceof Error ? `: ${last.message}` : ''}`);
}
