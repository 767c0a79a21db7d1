import {
  apiextensionsv1,
  isConditionTrue,
  type Clock,
  corev1,
  errorMessage,
  formatTime,
  type ResourceType,
  systemClock,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';
import { type Client, InformerCache, type WatchEvent } from '@hypershift-ts/kube-client';
import { type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import { EmbeddedCluster, type EmbeddedClusterOptions } from '@hypershift-ts/kube-embedded';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { type ClusterApi, ourClusterApi } from './implementations.ts';

export const namespace = 'clusters-demo';
const group = 'infrastructure.cluster.x-k8s.io';
const type = (kind: string, resource: string): ResourceType => ({
  group,
  version: 'v1beta1',
  kind,
  resource,
  namespaced: true,
});
export const testMachines = type('TestMachine', 'testmachines');
export const testMachineTemplates = type('TestMachineTemplate', 'testmachinetemplates');
const testClusters = type('TestCluster', 'testclusters');
const testControlPlanes = type('TestControlPlane', 'testcontrolplanes');

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function crd({ kind, resource }: ResourceType) {
  return {
    metadata: { name: `${resource}.${group}`, labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' } },
    spec: {
      group,
      names: { kind, plural: resource, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

export interface World {
  readonly client: Client;
  readonly hosted: Client;
  /** Every version of every Machine, in order. */
  readonly history: WatchEvent<capi.Machine>[];
  readonly writes: AuditEvent[];
  /** What reconciles failed with. */
  readonly failures: string[];
  /** Machines created while `boots` is false never become nodes. */
  readonly cloud: { boots: boolean };
  /** Cluster API stops and comes back, knowing nothing but what the cluster tells it. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly clock?: Clock;
  readonly hosted?: EmbeddedClusterOptions;
  /** Who does the work: our controllers in this process unless told otherwise. */
  readonly clusterApi?: ClusterApi;
  /** False: nobody watches the Machines, and `history` stays empty. */
  readonly recorded?: boolean;
}

/** A management and a hosted cluster, a provider whose machines are ready at once, and Cluster API at work. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ? { clock: options.clock } : {};
  const writes: AuditEvent[] = [];
  const audit = (event: AuditEvent) => {
    if (!['get', 'list', 'watch'].includes(event.verb)) writes.push(event);
  };
  const management = await EmbeddedCluster.start({ controllers: false, apiServer: { audit }, ...clock });
  const guest = await EmbeddedCluster.start({ controllers: false, ...clock, ...options.hosted });
  const client = management.client();
  const hosted = guest.client();
  const failures: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (fields, message) => failures.push(`${message}: ${errorMessage((fields as { err?: unknown }).err)}`),
    child: () => logger,
  };
  const { clusterApi = ourClusterApi } = options;
  const place = { management, guest, namespace, logger, ...clock };
  const crds = [
    ...(await clusterApi.crds(place)),
    ...[testMachines, testMachineTemplates, testClusters, testControlPlanes].map(crd),
  ];
  for (const manifest of crds) await client.create(apiextensionsv1.customresourcedefinitions, manifest as never);
  await client.create(corev1.namespaces, { metadata: { name: namespace } });
  const kubeconfig = {
    metadata: { name: 'demo-kubeconfig', namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'demo' } },
  };
  await client.create(corev1.secrets, { ...kubeconfig, stringData: { value: guest.adminKubeconfig() } });
  let stopClusterApi = await clusterApi.start(place);
  await createCluster(client);
  const history: WatchEvent<capi.Machine>[] = [];
  const cloud = { boots: true };
  const cache = new InformerCache({ client });
  if (options.recorded !== false) record(cache, history);
  provideMachines(cache, client, hosted, cloud, options.clock ?? systemClock);
  cache.start();
  await cache.whenSynced();
  return {
    client,
    hosted,
    history,
    writes,
    failures,
    cloud,
    async restart() {
      await stopClusterApi();
      stopClusterApi = await clusterApi.start(place);
    },
    async stop() {
      await stopClusterApi();
      await cache.stop();
      await guest.stop();
      await management.stop();
    },
  };
}

function record(cache: InformerCache, history: WatchEvent<capi.Machine>[]): void {
  cache.informer(capi.machines, { namespace }).addHandler({
    added: (object) => history.push({ type: 'ADDED', object }),
    updated: (_before, object) => history.push({ type: 'MODIFIED', object }),
    deleted: (object) => history.push({ type: 'DELETED', object }),
  });
}

async function createCluster(client: Client): Promise<void> {
  const ready = { ready: true, initialized: true, externalManagedControlPlane: true };
  for (const [kind, name] of [
    [testClusters, 'demo'],
    [testControlPlanes, 'demo'],
  ] as const) {
    const object = { metadata: { name, namespace }, spec: { controlPlaneEndpoint: { host: '127.0.0.1', port: 6443 } } };
    await client.create(kind, object as never);
    await client.patch(
      kind,
      { namespace, name },
      { type: 'merge', body: { status: ready } },
      { subresource: 'status' },
    );
  }
  await client.create(capi.clusters, {
    metadata: { name: 'demo', namespace },
    spec: {
      infrastructureRef: { apiVersion: `${group}/v1beta1`, kind: 'TestCluster', name: 'demo', namespace },
      controlPlaneRef: { apiVersion: `${group}/v1beta1`, kind: 'TestControlPlane', name: 'demo', namespace },
    },
  });
  await createTemplate(client, 'template-1');
}

export async function createTemplate(client: Client, name: string): Promise<void> {
  const spec = { template: { spec: { instanceType: 'm5.large' } } };
  await client.create(testMachineTemplates, { metadata: { name, namespace }, spec } as never);
}

const condition = (nowMs: number, type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  message: reason,
  lastTransitionTime: formatTime(nowMs),
});

const node = (name: string, providerID: string, nowMs: number) => ({
  metadata: { name },
  spec: { providerID },
  status: {
    allocatable: { cpu: '4', memory: '16Gi', pods: '110' },
    capacity: { cpu: '4', memory: '16Gi', pods: '110' },
    conditions: [
      condition(nowMs, 'MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      condition(nowMs, 'DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
      condition(nowMs, 'PIDPressure', 'False', 'KubeletHasSufficientPID'),
      condition(nowMs, 'Ready', 'True', 'KubeletReady'),
    ],
    nodeInfo: {
      architecture: 'amd64',
      bootID: 'b',
      containerRuntimeVersion: 'cri-o://1.33',
      kernelVersion: '5.14',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.33.4',
      machineID: 'm',
      operatingSystem: 'linux',
      osImage: 'test',
      systemUUID: 's',
    },
  },
});

/** The tiny provider: gives every machine that has its owner an ID, and the hosted cluster a node for it. */
function provideMachines(
  cache: InformerCache,
  client: Client,
  hosted: Client,
  cloud: { readonly boots: boolean },
  clock: Clock,
): void {
  const seen = new Set<string>();
  const boot = async (name: string, boots: boolean) => {
    const providerID = `test:///${name}`;
    await client.patch(testMachines, { namespace, name }, { type: 'merge', body: { spec: { providerID } } });
    const addresses = [{ type: 'InternalDNS', address: name }];
    const body = { status: { ready: true, addresses } };
    await client.patch(testMachines, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
    if (!boots) return;
    const { status, ...rest } = node(name, providerID, clock.now());
    await hosted.create(corev1.nodes, rest as never);
    await hosted.patch(corev1.nodes, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  };
  const look = ({ metadata }: UnstructuredObject) => {
    const { name = '', ownerReferences = [], deletionTimestamp } = metadata;
    const owned = ownerReferences.some(({ kind, controller }) => kind === 'Machine' && controller);
    if (!owned || deletionTimestamp || seen.has(name)) return;
    seen.add(name);
    // A machine that is deleted while it boots fails somewhere on the way, as it should.
    void boot(name, cloud.boots).catch(() => {});
  };
  cache.informer(testMachines, { namespace }).addHandler({ added: look, updated: (_before, next) => look(next) });
}

/** A MachineDeployment as a node pool makes it. */
export function aDeployment(
  replicas: number,
  spec: Partial<capi.MachineDeploymentSpec> = {},
): Omit<capi.MachineDeployment, 'apiVersion' | 'kind'> {
  const matchLabels = { 'cluster.x-k8s.io/cluster-name': 'demo', pool: 'pool' };
  return {
    metadata: { name: 'pool', namespace, annotations: { 'hypershift.openshift.io/nodePool': 'clusters/pool' } },
    spec: {
      clusterName: 'demo',
      replicas,
      selector: { matchLabels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: matchLabels, annotations: { 'hypershift.openshift.io/release-version': '4.20.0' } },
        spec: {
          clusterName: 'demo',
          version: '4.20.0',
          bootstrap: { dataSecretName: 'user-data-1' },
          infrastructureRef: {
            apiVersion: `${group}/v1beta1`,
            kind: 'TestMachineTemplate',
            name: 'template-1',
            namespace,
          },
        },
      },
      ...spec,
    },
  };
}

/** Waits for something that watches bring about; the limit only bounds a failing test. A manual clock moves along. */
export async function eventually<T>(
  read: () => Promise<T | undefined | false>,
  what: string,
  clock?: { advance(ms: number): void },
  attempts = 800,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const value = await read();
    if (value) return value;
    clock?.advance(100);
    await new Promise((resolve) => {
      setTimeout(resolve, 15);
    });
  }
  throw new Error(`never happened: ${what}`);
}

/** Long enough for everything that a change sets off in process; used where nothing is supposed to happen. */
export function settle(ms = 250): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

export async function deploymentWhen(
  client: Client,
  test: (deployment: capi.MachineDeployment) => boolean,
  what: string,
  clock?: { advance(ms: number): void },
): Promise<capi.MachineDeployment> {
  const read = async () => {
    const found = await client.get(capi.machinedeployments, { namespace, name: 'pool' });
    return test(found) && found;
  };
  return eventually(read, what, clock);
}

/** How many machines there were and how many of them were available, after each event of a history. */
export function* levels(
  before: readonly capi.Machine[],
  history: readonly WatchEvent<capi.Machine>[],
): Generator<{ readonly total: number; readonly available: number }> {
  const machines = new Map(before.map((machine) => [machine.metadata.name, machine]));
  for (const { type: change, object } of history) {
    if (change === 'DELETED') machines.delete(object.metadata.name);
    else machines.set(object.metadata.name, object);
    const available = [...machines.values()].filter(
      ({ metadata, status }) =>
        !metadata.deletionTimestamp && isConditionTrue(status?.v1beta2?.conditions, 'NodeReady'),
    );
    yield { total: machines.size, available: available.length };
  }
}

/** As HyperShift decides that a rollout is over. */
export function isComplete({ metadata, spec, status }: capi.MachineDeployment): boolean {
  const wanted = spec.replicas ?? 0;
  return (
    status?.updatedReplicas === wanted &&
    status.replicas === wanted &&
    status.availableReplicas === wanted &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    status.v1beta2?.upToDateReplicas === wanted &&
    status.v1beta2.availableReplicas === wanted
  );
}
