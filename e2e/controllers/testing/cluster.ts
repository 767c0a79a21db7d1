import type { appsv1, corev1, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, formatTime, isConflict, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client, NewObject } from '@hypershift-ts/kube-client';
import { clusterConfigFrom, HttpClient, InformerCache, parseKubeconfig } from '@hypershift-ts/kube-client';
import type { ControllerManagerOptions } from '@hypershift-ts/kube-controllers';
import { controllerManager, scheduler, serviceAccountOf } from '@hypershift-ts/kube-controllers';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { expect, vi } from 'vitest';

/** A cluster in memory with controllers, a scheduler and nodes whose pods start at once. */
export interface TestCluster {
  readonly client: Client;
  readonly embedded: EmbeddedCluster;
  readonly logged: string[];
  stop(): Promise<void>;
}

type Identity = EmbeddedCluster['identity'];

export interface TestClusterOptions {
  /** Inputs of the controller manager; those that need the cluster's keys are functions of them. */
  readonly controllers?: Partial<Omit<ControllerManagerOptions, 'signer' | 'serviceAccountPrivateKey'>> & {
    readonly signer?: (identity: Identity) => NonNullable<ControllerManagerOptions['signer']>;
    readonly serviceAccountPrivateKey?: (identity: Identity) => string;
  };
  readonly nodes?: number;
  /** False: pods stay Pending on their node. */
  readonly runPods?: boolean;
  readonly scheduler?: boolean;
  /** Controllers and scheduler talk HTTPS to the server, as those of a hosted cluster do. */
  readonly https?: boolean;
}

export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const logged: string[] = [];
  const embedded = await EmbeddedCluster.start({ controllers: false });
  const client = embedded.client();
  const log = (fields: object, message: string) => {
    const { err, object } = fields as { err?: { message?: string }; object?: string };
    logged.push(`${message} ${object ?? ''} ${err?.message ?? ''}`);
  };
  const logger = { debug() {}, info() {}, warn: log, error: log, child: () => logger };
  const remote = options.https
    ? new HttpClient(clusterConfigFrom(parseKubeconfig(embedded.adminKubeconfig(), 'test', '/')))
    : undefined;
  const cache = new InformerCache({ client: remote ?? client });
  for (let i = 0; i < (options.nodes ?? 2); i++) await client.create(core.nodes, aNode(`node-${i}`));
  const { signer, serviceAccountPrivateKey, ...inputs } = options.controllers ?? {};
  const { identity } = embedded;
  const manager = controllerManager({
    client: remote ?? client,
    clientFor: (name) => remote ?? embedded.client(controllerUser(name), name),
    cache,
    logger,
    rootCa: identity.authority.certificatePem,
    ...inputs,
    ...(signer ? { signer: signer(identity) } : {}),
    ...(serviceAccountPrivateKey ? { serviceAccountPrivateKey: serviceAccountPrivateKey(identity) } : {}),
  });
  await manager.start();
  const pods = scheduler({ client: remote ?? embedded.client(schedulerUser, 'kube-scheduler'), cache, logger });
  if (options.scheduler !== false) await pods.start();
  const kubelet = options.runPods === false ? () => {} : runPods(client, cache);
  await eventually(() => client.get(core.serviceaccounts, { namespace: 'default', name: 'default' }));
  return {
    client,
    embedded,
    logged,
    async stop() {
      kubelet();
      await pods.stop();
      await manager.stop();
      await cache.stop();
      await remote?.close();
      await embedded.stop();
    },
  };
}

/** Every controller works with the permissions that the default policy gives it, and no more. */
function controllerUser(name: string) {
  return {
    name: `system:serviceaccount:kube-system:${serviceAccountOf[name] ?? name}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  };
}

const schedulerUser = { name: 'system:kube-scheduler', groups: ['system:authenticated'] };

export function aNode(name: string, changes: Partial<corev1.Node> = {}): NewObject<corev1.Node> {
  const amounts = { cpu: '4', memory: '8Gi', pods: '110' };
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
    ...changes,
  } as NewObject<corev1.Node>;
}

/** The least a kubelet does: bound pods become Running and Ready, terminating ones go. */
export function runPods(client: Client, cache: InformerCache): () => void {
  const ready = (pod: corev1.Pod) => {
    const now = formatTime(Date.now());
    const conditions = ['Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: now,
    }));
    const ip = `10.0.${Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`;
    const status = { phase: 'Running', startTime: now, podIP: ip, podIPs: [{ ip }], conditions };
    return client.patch(core.pods, keyFor(pod), { type: 'strategic', body: { status } }, { subresource: 'status' });
  };
  const settle = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) process.stderr.write(`test kubelet: ${String(error)}\n`);
    });
  const seen = (pod: corev1.Pod) => {
    if (!pod.spec.nodeName) return;
    if (pod.metadata.deletionTimestamp) {
      void settle(client.delete(core.pods, keyFor(pod), { gracePeriodSeconds: 0 }));
    } else if (
      (pod.status?.phase ?? 'Pending') === 'Pending' &&
      pod.metadata.annotations?.['test/hold'] === undefined
    ) {
      void settle(ready(pod));
    }
  };
  return cache.informer(core.pods).addHandler({ added: seen, updated: (_before, pod) => seen(pod) });
}

export function keyFor({ metadata }: KubeObject) {
  const { namespace, name = '' } = metadata;
  return namespace ? { namespace, name } : { name };
}

/** Repeats until it holds. */
export function eventually<T>(check: () => Promise<T> | T, timeout = 10_000): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 15 });
}

/** Fails unless the cluster comes to rest: nothing at all is written for a while. */
export async function settled({ client }: TestCluster, quietMs = 400): Promise<void> {
  const version = async () => (await client.list(core.namespaces)).metadata.resourceVersion;
  await eventually(async () => {
    const before = await version();
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    expect(await version()).toBe(before);
  }, 8_000);
}

export function aDeployment(name: string, replicas: number, changes: Partial<appsv1.DeploymentSpec> = {}) {
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'example/a:1' }] } },
      ...changes,
    },
  } as NewObject<appsv1.Deployment>;
}

export async function eventReasons(client: Client, name: string, namespace = 'default'): Promise<string[]> {
  const { items } = await client.list(core.events, { namespace });
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason ?? '');
}

export { expect };
