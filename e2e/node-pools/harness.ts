/** The whole product in this process with one hosted cluster, for tests of its node pools. */
import { type HostedCluster, hostedClusters, type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { ManagementCluster, type ManagementClusterOptions } from '@hypershift-ts/hypershift-embedded';
import {
  type Condition,
  corev1,
  findCondition,
  isConditionTrue,
  type KubeObject,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import type { Store } from '@hypershift-ts/kube-store';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import type { SimulatedMachine } from '@hypershift-ts/machines-providers';
import { vi } from 'vitest';
import { createCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { install, installDefaults } from '../../packages/hypershift/cli/src/install/index.ts';
import { waitForCluster } from '../../packages/hypershift/cli/src/progress/index.ts';

export const namespace = 'clusters';

/** Repeats until it does not throw. */
export const eventually = <T>(check: () => Promise<T> | T, timeout = 60_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 50 });

const print = (fields: object, message: string) =>
  process.stderr.write(`${message} ${JSON.stringify({ ...fields, error: String(Object(fields).error ?? '') })}\n`);
/** Set DEBUG to see what the product complains about. */
const logger: Logger = process.env['DEBUG']
  ? { ...silentLogger, warn: print, error: print, child: () => logger }
  : silentLogger;

export interface ProductOptions extends ManagementClusterOptions {
  readonly name?: string;
  readonly platform?: string;
  /** Flags of `hypershift create cluster`, in camel case. */
  readonly flags?: { readonly [flag: string]: unknown };
  /** Flags of `hypershift install`, in camel case. */
  readonly install?: Partial<Parameters<typeof install>[0]>;
}

/** A management cluster and one hosted cluster in it, as the CLI makes them. */
export class Product {
  readonly management: ManagementCluster;
  readonly client: Client;
  readonly name: string;

  private constructor(management: ManagementCluster, name: string) {
    this.management = management;
    this.client = management.cluster.client(undefined, 'somebody');
    this.name = name;
  }

  static async start({ name = 'demo', platform, flags, install: how, ...rest }: ProductOptions = {}): Promise<Product> {
    const management = await ManagementCluster.start({ logger, ...rest });
    const product = new Product(management, name);
    await product.install(how);
    await product.create(name, flags, platform);
    return product;
  }

  /** A management cluster on what another one left in its store; nothing of HyperShift runs until install(). */
  static async resume(store: Store, name = 'demo'): Promise<Product> {
    return new Product(await ManagementCluster.start({ logger, store }), name);
  }

  /** `hypershift install`. */
  async install(how: ProductOptions['install'] = {}): Promise<void> {
    const image = 'registry.hypershift-ts.io/hypershift-ts:test';
    const client = this.management.cluster.client(undefined, 'hypershift-install');
    await install({ ...installDefaults, image, ...how }, { client });
  }

  stop(): Promise<void> {
    return this.management.stop();
  }

  /** `hypershift create cluster <platform> --wait`. */
  async create(name: string, flags: ProductOptions['flags'] = {}, platform = 'kubevirt'): Promise<void> {
    await createCluster({
      platform: platformBuilders.find(({ command }) => command === platform)!,
      flags: { name, namespace, ...flags },
      client: this.client,
      isEmbedded: true,
    });
    const goal = Number(flags['nodePoolReplicas'] ?? 0) > 0 ? 'rolled-out' : 'available';
    await waitForCluster({ client: this.client, namespace, name, goal, timeoutMs: 170_000 });
  }

  /** Where the control plane and the machines of the cluster are. */
  get controlPlane(): string {
    return `${namespace}-${this.name}`;
  }

  cluster(): Promise<HostedCluster> {
    return this.client.get(hostedClusters, { namespace, name: this.name });
  }

  pool(name = this.name): Promise<NodePool> {
    return this.client.get(nodePools, { namespace, name });
  }

  async poolCondition(type: string, name = this.name): Promise<Condition | undefined> {
    return findCondition((await this.pool(name)).status?.conditions as Condition[] | undefined, type);
  }

  /** Changes the pool as `kubectl patch` would; null removes a field. */
  patchPool(spec: object, name = this.name): Promise<NodePool> {
    return this.client.patch(nodePools, { namespace, name }, { type: 'merge', body: { spec } });
  }

  async machines(pool?: string): Promise<readonly capi.Machine[]> {
    const { items } = await this.client.list(capi.machines, { namespace: this.controlPlane });
    const owner = `${namespace}/${pool}`;
    return pool ? items.filter(({ metadata }) => metadata.annotations?.[poolAnnotation] === owner) : items;
  }

  async inControlPlane<T extends KubeObject>(type: ResourceType<T>): Promise<readonly T[]> {
    return (await this.client.list(type, { namespace: this.controlPlane })).items;
  }

  /** The simulated computer of a node. */
  computer(node: string): SimulatedMachine {
    const instance = this.management.cloud.list().find(({ nodeName }) => nodeName === node);
    if (!instance) throw new Error(`no instance is node ${node}`);
    return instance.machine;
  }

  /** The kubeconfig the owner of the hosted cluster gets. */
  async kubeconfig(name = this.name): Promise<string> {
    const { data } = await this.client.get(corev1.secrets, { namespace, name: `${name}-admin-kubeconfig` });
    return Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  }

  /** The hosted cluster, over its published address. */
  async hosted(name = this.name): Promise<HttpClient> {
    return new HttpClient(clusterConfigFrom(parseKubeconfig(await this.kubeconfig(name), 'test', '/')));
  }
}

const poolAnnotation = 'hypershift.openshift.io/nodePool';

export const isNodeReady = ({ status }: corev1.Node): boolean => isConditionTrue(status?.conditions, 'Ready');

export async function readyNodes(hosted: Client): Promise<readonly string[]> {
  const { items } = await hosted.list(corev1.nodes);
  return items.filter(isNodeReady).map(({ metadata }) => metadata.name ?? '');
}

/** Everything that ever happened to the objects of a kind, told one event at a time. */
export function follow<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  scope: { readonly namespace?: string; readonly labelSelector?: string },
  seen: (objects: readonly T[]) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const live = new Map<string, T>();
  const options = { ...scope, sendInitialEvents: true, allowWatchBookmarks: true, signal: stopping.signal } as const;
  const run = async () => {
    for await (const { type: what, object } of client.watch(type, {
      ...options,
      resourceVersionMatch: 'NotOlderThan',
    })) {
      if (what === 'BOOKMARK') continue;
      if (what === 'DELETED') live.delete(object.metadata.uid ?? '');
      else live.set(object.metadata.uid ?? '', object);
      seen([...live.values()]);
    }
  };
  const running = run().catch(() => {});
  return async () => {
    stopping.abort();
    await running;
  };
}

export const nodesOfPool = (pool: string): string => `${poolAnnotation}=${pool}`;
