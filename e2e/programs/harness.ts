import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { EmbeddedCluster, type EmbeddedNode } from '@hypershift-ts/kube-embedded';
import { BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import {
  type ControlPlaneProgramsOptions,
  ProcessDirectory,
  registerControlPlanePrograms,
} from '@hypershift-ts/kube-programs';

/** A management cluster whose node runs control planes. */
export interface Management {
  readonly cluster: EmbeddedCluster;
  readonly client: Client;
  readonly directory: ProcessDirectory;
  stop(): Promise<void>;
}

export async function startManagement(
  runtimes: Partial<NonNullable<EmbeddedNode['runtimes']>> = {},
  programs: ControlPlaneProgramsOptions = {},
): Promise<Management> {
  const directory = new ProcessDirectory();
  const builtin = registerControlPlanePrograms(new BuiltinRegistry(), { directory, plainCommands: true, ...programs });
  const cluster = await EmbeddedCluster.start({
    nodes: [{ name: 'node-1', runtimes: { builtin, simulated: false, ...runtimes } }],
  });
  return { cluster, client: cluster.client(), directory, stop: () => cluster.stop() };
}

/** The hosted cluster through its Service, over HTTPS, with a kubeconfig of the PKI. */
export async function hostedKubeconfig(client: Client, namespace: string, kubeconfig: string): Promise<string> {
  const { spec } = await client.get(corev1.services, { namespace, name: 'kube-apiserver' });
  const config = JSON.parse(kubeconfig) as { clusters: { cluster: Record<string, string> }[] };
  const cluster = config.clusters[0]!.cluster;
  cluster['server'] = `https://${spec?.clusterIP}:6443`;
  cluster['tls-server-name'] = 'kube-apiserver';
  return JSON.stringify(config);
}

export function hostedClient(kubeconfig: string): HttpClient {
  return new HttpClient(clusterConfigFrom(parseKubeconfig(kubeconfig, 'test', '/')));
}

/** Repeats until it neither throws nor answers false. */
export async function eventually<T>(work: () => Promise<T>, what: string, timeoutMs = 30_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  do {
    try {
      const result = await work();
      if (result !== false) return result;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (Date.now() < end);
  throw new Error(`${what}: not in ${timeoutMs} ms${last instanceof Error ? `: ${last.message}` : ''}`);
}

/** What went wrong in a namespace: states and logs of its pods. */
export async function describePods(client: Client, namespace: string): Promise<string> {
  const { items } = await client.list(corev1.pods, { namespace });
  return items
    .map(
      ({ metadata, status }) => `${metadata.name}: ${JSON.stringify(status?.containerStatuses ?? status?.conditions)}`,
    )
    .join('\n');
}

export async function podsGone(client: Client, namespace: string): Promise<boolean> {
  return (await client.list(corev1.pods, { namespace })).items.length === 0;
}

/** Open files, sockets and watched directories of this process. */
export function openFiles(): number {
  if (!existsSync('/proc/self/fd')) return 0;
  let count = 0;
  for (const fd of readdirSync('/proc/self/fd')) {
    count++;
    try {
      count += readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('inotify wd:').length - 1;
    } catch {
      // Closed meanwhile, such as the listing's own.
    }
  }
  return count;
}
