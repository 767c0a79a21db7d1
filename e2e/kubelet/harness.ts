import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corev1, isAlreadyExists, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { InformerCache } from '@hypershift-ts/kube-client';
import type { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { type Kubelet, type KubeletOptions, startKubelet } from '@hypershift-ts/kube-kubelet';
import { issue } from '@hypershift-ts/kube-pki';
import { startTestCluster } from '../harness/cluster.ts';

/** A cluster with one node, for tests of pods. */
export interface NodeUnderTest {
  readonly cluster: EmbeddedCluster;
  readonly client: HttpClient;
  readonly dataDir: string;
  kubelet: Kubelet;
  restartKubelet(): Promise<void>;
  stop(): Promise<void>;
}

/** Anything found on PATH may run, in images called `host`. */
export const hostImage = { images: ['host'], anyOnPath: true };

export async function startNode(options: Partial<KubeletOptions> = {}, serviceCidr?: string): Promise<NodeUnderTest> {
  const test = await startTestCluster(serviceCidr ? { apiServer: { serviceCidr } } : {});
  const { cluster, client } = test;
  const dataDir = await mkdtemp(join(tmpdir(), 'kubelet-'));
  const inProcess = cluster.client();
  const cache = new InformerCache({ client: inProcess });
  cache.start();
  const serving = await issue(cluster.identity.authority, {
    role: 'server',
    subject: { commonName: 'system:node:node-a', organizations: ['system:nodes'] },
    dnsNames: ['node-a'],
    ipAddresses: ['127.0.0.1'],
    now: Date.now(),
  });
  const start = () =>
    startKubelet({
      client: inProcess,
      cache,
      nodeName: 'node-a',
      dataDir,
      runtimes: { process: [hostImage] },
      tls: {
        certificate: serving.certificatePem,
        key: serving.keyPem,
        clientCa: cluster.identity.authority.certificatePem,
      },
      shutdownGraceSeconds: 1,
      ...options,
    });
  await ensureServiceAccount(client as HttpClient, 'default');
  const node: NodeUnderTest = {
    cluster,
    client: client as HttpClient,
    dataDir,
    kubelet: await start(),
    async restartKubelet() {
      await node.kubelet.stop();
      node.kubelet = await start();
    },
    async stop() {
      await node.kubelet.stop();
      await cache.stop();
      await test.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return node;
}

/** What the service account controller would do. */
async function ensureServiceAccount(client: HttpClient, namespace: string): Promise<void> {
  await client.create(corev1.serviceaccounts, { metadata: { name: 'default', namespace } }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

type PodParts = Omit<Partial<corev1.PodSpec>, 'containers'> & {
  readonly containers?: readonly corev1.Container[];
};

/** A pod on node-a without a service account token. */
export function aPod(name: string, parts: PodParts & { readonly metadata?: corev1.Pod['metadata'] } = {}) {
  const { metadata, ...spec } = parts;
  return {
    metadata: { namespace: 'default', ...metadata, name },
    spec: {
      nodeName: 'node-a',
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 2,
      containers: [{ name: 'main', image: 'example.org/app:v1' }],
      ...spec,
    },
  };
}

/** A container that runs a shell script on this machine. */
export function shell(script: string, more: Partial<corev1.Container> = {}): corev1.Container {
  return { name: 'main', image: 'host', command: ['sh', '-c', script], ...more };
}

/** The pod once it fits, or a failure that shows what it was instead. */
export async function podWhen(
  node: NodeUnderTest,
  name: string,
  fits: (pod: corev1.Pod) => boolean,
  timeoutMs = 15_000,
): Promise<corev1.Pod> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const pod = await node.client.get(corev1.pods, { namespace: 'default', name });
    if (fits(pod)) return pod;
    if (Date.now() > end) throw new Error(`pod ${name} is not as wanted: ${JSON.stringify(pod.status, undefined, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function podGone(node: NodeUnderTest, name: string, timeoutMs = 15_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      await node.client.get(corev1.pods, { namespace: 'default', name });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    if (Date.now() > end) throw new Error(`pod ${name} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const isReady = (pod: corev1.Pod) =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

export const hasPhase = (phase: string) => (pod: corev1.Pod) => pod.status?.phase === phase;

/** The log as text. */
export async function logText(node: NodeUnderTest, name: string, query = ''): Promise<string> {
  const path = `/api/v1/namespaces/default/pods/${name}/log${query}`;
  return (await node.client.raw('GET', path)).body;
}
