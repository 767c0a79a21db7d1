import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type HostedCluster,
  hostedClusters,
  type HostedControlPlane,
  hostedControlPlanes,
} from '@hypershift-ts/hypershift-api';
import { ManagementCluster } from '@hypershift-ts/hypershift-embedded';
import { appsv1, type Condition, corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { createMemoryStore } from '@hypershift-ts/kube-store';
import { vi } from 'vitest';
import { applyClusterObjects } from '../../packages/hypershift/cli/src/create-cluster/apply.ts';
import {
  type ClusterObjects,
  planCluster,
  platformBuilders,
} from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { install, installDefaults } from '../../packages/hypershift/cli/src/install/index.ts';
import { waitForCluster } from '../../packages/hypershift/cli/src/progress/index.ts';

export const namespace = 'clusters';
export const controlPlaneNamespace = (name: string): string => `${namespace}-${name}`;

type Flags = { readonly [flag: string]: unknown };

/** Repeats until it does not throw. */
export const eventually = <T>(check: () => Promise<T>, timeout = 60_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 });

/** The whole product in this process, as `hypershift up` starts it, with what its API server was asked. */
export class Product {
  readonly management: ManagementCluster;
  readonly client: Client;
  readonly requests: AuditEvent[];

  /** Where nodes keep the files of their pods. */
  readonly folder: string;

  private constructor(management: ManagementCluster, requests: AuditEvent[], folder: string) {
    this.folder = folder;
    this.management = management;
    this.client = management.cluster.client(undefined, 'somebody');
    this.requests = requests;
  }

  static async start(): Promise<Product> {
    const requests: AuditEvent[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'hosted-cluster-'));
    const management = await ManagementCluster.start({
      dataDir: folder,
      store: createMemoryStore(),
      apiServer: { audit: (event) => requests.push(event) },
    });
    const client = management.cluster.client(undefined, 'hypershift-install');
    await install({ ...installDefaults, image: 'registry.hypershift-ts.io/hypershift-ts:test' }, { client });
    return new Product(management, requests, folder);
  }

  async stop(): Promise<void> {
    await this.management.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The objects of `hypershift create cluster <platform>`. */
  plan(name: string, flags: Flags = {}, platform = 'kubevirt'): Promise<ClusterObjects> {
    return planCluster({
      platform: platformBuilders.find(({ command }) => command === platform)!,
      flags: { name, namespace, ...flags },
      client: this.client,
      isEmbedded: true,
    });
  }

  /** `hypershift create cluster <platform> --wait`. */
  async create(name: string, flags: Flags = {}, platform = 'kubevirt'): Promise<void> {
    await applyClusterObjects(this.client, await this.plan(name, flags, platform));
    const goal = Number(flags['nodePoolReplicas'] ?? 0) > 0 ? 'rolled-out' : 'available';
    await waitForCluster({ client: this.client, namespace, name, goal, timeoutMs: 240_000 }).catch(
      async (cause: Error) => {
        throw new Error(`${cause.message}\n${await this.troubles(name)}`, { cause });
      },
    );
  }

  /** Containers of operators and of the control plane that are not ready, and what they said last. */
  private async troubles(name: string): Promise<string> {
    const { items: operators } = await this.client.list(corev1.pods, { namespace: 'hypershift' });
    const lines = [...operators, ...(await this.pods(name))].flatMap(({ metadata, status }) =>
      (status?.containerStatuses ?? [])
        .filter(({ ready }) => !ready)
        .map((one) => `${metadata.name}/${one.name}: ${JSON.stringify([one.state, one.lastState])}`),
    );
    return lines.join('\n');
  }

  cluster(name: string): Promise<HostedCluster> {
    return this.client.get(hostedClusters, { namespace, name });
  }

  controlPlane(name: string): Promise<HostedControlPlane> {
    return this.client.get(hostedControlPlanes, { namespace: controlPlaneNamespace(name), name });
  }

  async condition(name: string, type: string): Promise<Condition | undefined> {
    return findCondition((await this.cluster(name)).status?.conditions, type);
  }

  /** Changes the HostedCluster as `kubectl patch` would. */
  patch(name: string, body: object): Promise<HostedCluster> {
    return this.client.patch(hostedClusters, { namespace, name }, { type: 'merge', body });
  }

  /** The hosted cluster by the kubeconfig its owner gets, over its published address. */
  async hosted(name: string): Promise<HttpClient> {
    const key = { namespace, name: `${name}-admin-kubeconfig` };
    const { data } = await this.client.get(corev1.secrets, key);
    const text = Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
    return new HttpClient(clusterConfigFrom(parseKubeconfig(text, 'test', '/')));
  }

  async pods(name: string, labelSelector?: string): Promise<readonly corev1.Pod[]> {
    const options = { namespace: controlPlaneNamespace(name), ...(labelSelector ? { labelSelector } : {}) };
    return (await this.client.list(corev1.pods, options)).items;
  }

  /** Every Deployment of the control plane has the pods it wants, all ready, and no others. */
  async deploymentsRolledOut(name: string): Promise<boolean> {
    const { items } = await this.client.list(appsv1.deployments, { namespace: controlPlaneNamespace(name) });
    return items.every(({ metadata, spec, status }) => {
      const wanted = spec?.replicas ?? 1;
      return (
        status?.observedGeneration === metadata.generation &&
        (status?.updatedReplicas ?? 0) === wanted &&
        (status?.readyReplicas ?? 0) === wanted &&
        (status?.replicas ?? 0) === wanted
      );
    });
  }
}
