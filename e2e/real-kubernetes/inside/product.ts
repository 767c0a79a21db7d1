import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { applyClusterObjects } from '../../../packages/hypershift/cli/src/create-cluster/apply.ts';
import { planCluster, platformBuilders } from '../../../packages/hypershift/cli/src/create-cluster/index.ts';
import {
  install,
  installDefaults,
  type InstallOptions,
  operatorAvailable,
} from '../../../packages/hypershift/cli/src/install/index.ts';
import { waitForCluster } from '../../../packages/hypershift/cli/src/progress/index.ts';
import { findKubectls, Kubectl } from '../../harness/kubectl.ts';
import { RealApiServer } from '../api-server.ts';
import { findRealPrograms } from '../binaries.ts';
import { type NodesOptions, startNodes } from '../nodes.ts';

export const namespace = 'clusters';
export const installed: InstallOptions = { ...installDefaults, image: 'registry.hypershift-ts.io/hypershift-ts:test' };

/** HyperShift on a management cluster whose API server is a real one. */
export class RealProduct {
  readonly server: RealApiServer;
  readonly client: HttpClient;
  readonly kubectl: Kubectl;
  private readonly stopNodes: () => Promise<void>;

  private constructor(server: RealApiServer, client: HttpClient, kubectl: Kubectl, stopNodes: () => Promise<void>) {
    this.server = server;
    this.client = client;
    this.kubectl = kubectl;
    this.stopNodes = stopNodes;
  }

  static async start(options: Omit<NodesOptions, 'programs'> = {}): Promise<RealProduct> {
    const programs = findRealPrograms();
    if (!programs) throw new Error('there is no kube-apiserver');
    const server = await RealApiServer.start(programs, await mkdtemp(join(tmpdir(), 'real-kubernetes-')));
    try {
      const stopNodes = await startNodes(server, { programs, ...options });
      const client = await server.admin();
      const installer = await server.admin('hypershift-install');
      await install(installed, { client: installer });
      await installer.close();
      await operatorAvailable(client, installed.namespace, 60_000);
      const kubeconfig = await server.kubeconfig('kubernetes-admin', ['system:masters']);
      return new RealProduct(server, client, new Kubectl(kubectlPath(), kubeconfig), stopNodes);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  async create(platform: string, name: string, flags: { readonly [flag: string]: unknown } = {}): Promise<void> {
    const builder = platformBuilders.find(({ command }) => command === platform)!;
    const { client } = this;
    const objects = await planCluster({
      platform: builder,
      flags: { name, namespace, ...flags },
      client,
      isEmbedded: true,
    });
    await applyClusterObjects(client, objects);
    const goal = Number(flags['nodePoolReplicas'] ?? 0) > 0 ? 'rolled-out' : 'available';
    await waitForCluster({ client, namespace, name, goal, timeoutMs: 150_000 });
  }

  /** kubectl with the kubeconfig that the owner of a cluster gets. */
  async hosted(name: string): Promise<Kubectl> {
    const { data } = await this.client.get(corev1.secrets, { namespace, name: `${name}-admin-kubeconfig` });
    return new Kubectl(kubectlPath(), Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8'));
  }

  /** Waits until operators have written nothing for a while. */
  async quiet(writes: () => readonly string[], forMs = 5_000): Promise<void> {
    for (let before = -1; before !== writes().length; ) {
      before = writes().length;
      await new Promise((resolve) => setTimeout(resolve, forMs));
    }
  }

  async stop(): Promise<void> {
    this.kubectl.dispose();
    await this.client.close();
    await this.stopNodes();
    await this.server.stop();
    await rm(this.server.folder, { recursive: true, force: true });
  }
}

function kubectlPath(): string {
  return findKubectls().at(-1)?.path ?? 'kubectl';
}
