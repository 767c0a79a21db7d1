import {
  controlPlaneComponents,
  type HostedCluster,
  hostedClusters,
  managementCrds,
} from '@hypershift-ts/hypershift-api';
import { type HypershiftOperatorOptions, runHypershiftOperator } from '@hypershift-ts/hypershift-operator';
import { EmbeddedCatalogue, embeddedReleaseImage, embeddedReleases } from '@hypershift-ts/hypershift-release';
import {
  apiextensionsv1,
  type Condition,
  corev1,
  findCondition,
  isConditionTrue,
  isNotFound,
  type KubeObject,
  rbacv1,
  schedulingv1,
  systemClock,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { getIfPresent, type Logger } from '@hypershift-ts/kube-controller';
import { clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { type InfrastructureProvider, providerCrds } from '@hypershift-ts/machines-providers';
import { expect, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { type CountingClient, countingClient } from './counting-client.ts';

export const releaseImage = embeddedReleaseImage(embeddedReleases[0]!.version);
export const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 30 });

const print = (fields: object, message: string) => {
  if (process.env['VERBOSE']) process.stderr.write(`${message} ${(fields as { err?: Error }).err?.message ?? ''}\n`);
};
const logger: Logger = { debug() {}, info() {}, warn: print, error: print, child: () => logger };

/** What the management cluster has besides the operator. */
interface Setting {
  readonly providers?: readonly InfrastructureProvider[];
  readonly options?: Partial<HypershiftOperatorOptions>;
  readonly crds?: readonly object[];
  readonly featureSet?: Parameters<typeof managementCrds>[0];
}

/** A management cluster with the operator on it, which can be stopped and started again. */
export class OperatorUnderTest {
  readonly cluster: TestCluster;
  readonly client: Client;
  /** What the operator wrote, request by request. */
  readonly written: string[];
  private readonly counted: Client;
  private readonly counting: CountingClient;
  private readonly options: Partial<HypershiftOperatorOptions>;
  private stopper: AbortController | undefined;
  private ended: Promise<void> = Promise.resolve();

  private constructor(cluster: TestCluster, options: Partial<HypershiftOperatorOptions>) {
    this.cluster = cluster;
    this.client = cluster.client;
    this.options = options;
    this.counting = countingClient(cluster.client);
    ({ client: this.counted, written: this.written } = this.counting);
  }

  static async start({
    providers = [],
    options = {},
    crds: more = [],
    featureSet = 'Default',
  }: Setting = {}): Promise<OperatorUnderTest> {
    const cluster = await startTestCluster({ controllers: true });
    const own = [...managementCrds(featureSet), ...clusterApiCrds()];
    const crds = [...own, ...providers.flatMap((one) => providerCrds(one)), ...more];
    for (const crd of crds) await cluster.client.create(apiextensionsv1.customresourcedefinitions, crd as never);
    await eventually(async () => void (await cluster.client.list(hostedClusters)));
    for (const name of ['clusters', 'hypershift'])
      await cluster.client.create(corev1.namespaces, { metadata: { name } });
    // What an installation brings along.
    await cluster.client.create(schedulingv1.priorityclasses, {
      metadata: { name: 'hypershift-control-plane' },
      value: 100_000_000,
    });
    const operator = new OperatorUnderTest(cluster, options);
    await operator.resume();
    return operator;
  }

  async resume(): Promise<void> {
    const stopper = new AbortController();
    this.stopper = stopper;
    await new Promise<void>((resolve, reject) => {
      this.ended = runHypershiftOperator({
        releases: new EmbeddedCatalogue(),
        operatorImage: 'registry.hypershift-ts.io/operator:1',
        providerImages: { KubeVirt: 'registry.hypershift-ts.io/capk:1' },
        clock: systemClock,
        logger,
        ...this.options,
        client: this.counted,
        signal: stopper.signal,
        onReady: () => resolve(),
      });
      this.ended.catch(reject);
    });
  }

  async pause(): Promise<void> {
    this.stopper?.abort();
    await this.ended;
  }

  async stop(): Promise<void> {
    await this.pause();
    await this.cluster.stop();
  }

  /** Waits until every operator of every cluster runs, and nothing more is written. */
  async rolledOut(): Promise<void> {
    await eventually(async () => {
      const { items } = await this.client.list(controlPlaneComponents);
      const late = items.filter(({ status }) => !isConditionTrue(status?.conditions, 'RolloutComplete'));
      expect(late.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([]);
    });
    await this.settled();
  }

  /** Waits until nothing was written for a moment. */
  async settled(): Promise<void> {
    for (let before = -1; before !== this.written.length; ) {
      before = this.written.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  /** Lets the operator write this many more times, and answers how often it has written. */
  failAfter(writes: number | undefined): number {
    this.counting.limit(writes);
    return this.written.length;
  }

  async pullSecret(name = 'pull', content = '{"auths":{}}'): Promise<void> {
    await this.client.create(corev1.secrets, {
      metadata: { namespace: 'clusters', name },
      data: { '.dockerconfigjson': Buffer.from(content).toString('base64') },
    });
  }

  async create(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    await this.client.create(hostedClusters, {
      metadata: { namespace: 'clusters', name, ...metadata },
      spec: {
        release: { image: releaseImage },
        pullSecret: { name: 'pull' },
        platform: { type: 'None' },
        services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
          service,
          servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
        })),
        ...spec,
      },
    } as never);
  }

  get(name: string): Promise<HostedCluster> {
    return this.client.get(hostedClusters, { namespace: 'clusters', name });
  }

  async exists(name: string): Promise<boolean> {
    return (await getIfPresent(this.client, hostedClusters, { namespace: 'clusters', name })) !== undefined;
  }

  async patch(name: string, body: object): Promise<void> {
    await this.client.patch(hostedClusters, { namespace: 'clusters', name }, { type: 'merge', body });
  }

  /** Deletes a cluster and checks that nothing of it is left on the management cluster. */
  async remove(name: string, options: { readonly namespace?: 'stays' } = {}): Promise<void> {
    await this.client.delete(hostedClusters, { namespace: 'clusters', name });
    await this.removed(name, options);
  }

  async removed(name: string, options: { readonly namespace?: 'stays' } = {}): Promise<void> {
    await eventually(async () => {
      await expect(this.get(name)).rejects.toSatisfy(isNotFound);
    });
    if (options.namespace !== 'stays')
      await expect(this.client.get(corev1.namespaces, { name: `clusters-${name}` })).rejects.toSatisfy(isNotFound);
    for (const type of [rbacv1.clusterroles, rbacv1.clusterrolebindings]) {
      const { items } = await this.client.list<KubeObject>(type);
      const left = items.map(({ metadata }) => metadata.name ?? '').filter((one) => one.includes(`clusters-${name}`));
      expect(left).toEqual([]);
    }
  }

  async condition(name: string, type: string): Promise<Condition | undefined> {
    return findCondition((await this.get(name)).status?.conditions, type);
  }
}
