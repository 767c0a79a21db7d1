/** A management cluster with one hosted cluster as its operators would leave it, for tests of node pools. */
import { randomUUID } from 'node:crypto';
import {
  type HostedCluster,
  hostedClusters,
  managementCrds,
  type NodePool,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import { coreConfigMaps } from '@hypershift-ts/hypershift-ignition';
import { nodePoolController } from '@hypershift-ts/hypershift-operator';
import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import {
  apiextensionsv1,
  corev1,
  findCondition,
  type KubeObject,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type Logger, Manager, silentLogger } from '@hypershift-ts/kube-controller';
import { capiv1beta1, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { type InfrastructureProvider, providerCrds } from '@hypershift-ts/machines-providers';
import { vi } from 'vitest';
import { platformSettings } from '../../packages/hypershift/platforms/src/testing/clusters.ts';
import { poolSettings } from '../../packages/hypershift/platforms/src/testing/node-pools.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

export const version = '4.20.3';
export const namespace = 'clusters-demo';
export const eventually = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 25_000, interval: 30 });

const base64 = (text: string): string => Buffer.from(text).toString('base64');

export interface World {
  readonly test: TestCluster;
  readonly client: Client;
  /** Ends the operator and starts another one on the same cluster. */
  restartOperator(): Promise<void>;
  stop(): Promise<void>;
}

const print = (fields: object, message: string) =>
  process.stderr.write(`${message} ${(fields as { err?: Error }).err?.message ?? ''}\n`);
/** Set DEBUG to see what the operator complains about; bad input is part of these tests. */
const logger: Logger = process.env['DEBUG']
  ? { ...silentLogger, warn: print, error: print, child: () => logger }
  : silentLogger;

export async function startWorld(...providers: readonly InfrastructureProvider[]): Promise<World> {
  const test = await startTestCluster();
  const { client } = test;
  for (const crd of [...managementCrds('Default'), ...clusterApiCrds(), ...providers.flatMap(providerCrds)])
    await client.create(apiextensionsv1.customresourcedefinitions, crd as never);
  await eventually(() => client.list(hostedClusters));
  await eventually(() => client.list(capiv1beta1.machines));
  for (const name of ['clusters', namespace]) await client.create(corev1.namespaces, { metadata: { name } });
  let manager = await startOperator(client);
  return {
    test,
    client,
    async restartOperator() {
      await manager.stop();
      manager = await startOperator(client);
    },
    async stop() {
      await manager.stop();
      await test.stop();
    },
  };
}

async function startOperator(client: Client): Promise<Manager> {
  const manager = new Manager({ client, logger });
  manager.add(nodePoolController({ releases: new EmbeddedCatalogue(), operatorImage: 'operator:1', uuid: randomUUID }));
  await manager.start();
  return manager;
}

/** The hosted cluster `clusters/demo` with a control plane that is up, as far as pools look at it. */
export async function aHostedClusterOn(
  client: Client,
  type: HostedCluster['spec']['platform']['type'],
  spec: object = {},
): Promise<HostedCluster> {
  const secret = (at: string, name: string, data: { readonly [key: string]: string }) =>
    client.create(corev1.secrets, {
      metadata: { namespace: at, name },
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])),
    });
  await secret('clusters', 'pull', { '.dockerconfigjson': '{"auths":{}}' });
  await secret('clusters', 'demo-admin-kubeconfig', {
    kubeconfig: 'clusters:\n- name: cluster\n  cluster:\n    server: https://api.demo.example.com:6443\n',
  });
  await secret(namespace, 'ignition-server-ca-cert', { 'tls.crt': 'a certificate', 'tls.key': 'a key' });
  for (const map of coreConfigMaps({ namespace, fips: false, sshKey: 'ssh-ed25519 AAAA', imageContentSources: [] }))
    await client.create(corev1.configmaps, map);
  const created = await client.create(hostedClusters, {
    metadata: { namespace: 'clusters', name: 'demo' },
    spec: {
      release: { image: embeddedReleaseImage(version) },
      pullSecret: { name: 'pull' },
      infraID: 'demo-abcde',
      platform: { type, ...platformSettings[type] },
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
        service,
        servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
      })),
      ...spec,
    },
  } as never);
  return setClusterStatus(client, created, {
    ignitionEndpoint: 'ignition.demo.example.com',
    kubeconfig: { name: 'demo-admin-kubeconfig' },
    payloadArch: 'Multi',
    version: versionStatus(version),
    ...(type === 'AWS' ? { platform: { aws: { defaultWorkerSecurityGroupID: 'sg-workers' } } } : {}),
  });
}

export const versionStatus = (running: string): object => ({
  desired: { image: embeddedReleaseImage(running), version: running },
  observedGeneration: 1,
  availableUpdates: null,
  history: [
    {
      state: 'Completed',
      version: running,
      image: embeddedReleaseImage(running),
      startedTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:10:00Z',
      verified: false,
    },
  ],
});

const setClusterStatus = (client: Client, cluster: HostedCluster, status: object): Promise<HostedCluster> =>
  client.update(hostedClusters, { ...cluster, status: { ...cluster.status, ...status } } as HostedCluster, {
    subresource: 'status',
  });

/** No tags or groups of its own, so that tests see what the cluster adds. */
const simpleAws = {
  aws: { instanceType: 'm5.large', subnet: { id: 'subnet-1' }, rootVolume: { size: 64, type: 'gp3' } },
};

export const aPool = (
  client: Client,
  name: string,
  type: HostedCluster['spec']['platform']['type'],
  spec: object = {},
): Promise<NodePool> => {
  const poolPlatform = type === 'AWS' ? simpleAws : poolSettings[type];
  return client.create(nodePools, {
    metadata: { namespace: 'clusters', name },
    spec: {
      clusterName: 'demo',
      replicas: 2,
      release: { image: embeddedReleaseImage(version) },
      management: { upgradeType: 'Replace' },
      platform: { type, ...poolPlatform },
      ...spec,
    },
  } as never);
};

export const poolNamed = (client: Client, name: string): Promise<NodePool> =>
  client.get(nodePools, { namespace: 'clusters', name });

export const conditionOf = async (client: Client, name: string, type: string) =>
  findCondition((await poolNamed(client, name)).status?.conditions, type);

/** Everything that exists for pools, by kind and name, with its resourceVersion: two equal answers, nothing written. */
export async function written(
  client: Client,
  ...types: readonly ResourceType<KubeObject>[]
): Promise<readonly string[]> {
  const kinds: readonly ResourceType<KubeObject>[] = [
    nodePools,
    corev1.secrets,
    capiv1beta1.machinedeployments,
    capiv1beta1.machinesets,
    capiv1beta1.machines,
    capiv1beta1.machinehealthchecks,
    ...types,
  ];
  const lists = await Promise.all(kinds.map(async (type) => [type.kind, (await client.list(type)).items] as const));
  return lists
    .flatMap(([kind, items]) => items.map((item) => `${kind} ${item.metadata.name} ${item.metadata.resourceVersion}`))
    .sort();
}

/** Reports that Cluster API has made every machine of a pool as its MachineDeployment wants. */
export async function completeDeployment(client: Client, name: string): Promise<void> {
  await eventually(async () => {
    const live = await client.get(capiv1beta1.machinedeployments, { namespace, name });
    const { replicas = 0 } = live.spec;
    const status = {
      replicas,
      updatedReplicas: replicas,
      availableReplicas: replicas,
      readyReplicas: replicas,
      observedGeneration: live.metadata.generation,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    };
    await client.update(capiv1beta1.machinedeployments, { ...live, status } as never, { subresource: 'status' });
  });
}

/** A machine of a pool as Cluster API would make it. */
export const aMachineOf = (pool: string, name: string) => ({
  metadata: { name, namespace, annotations: { 'hypershift.openshift.io/nodePool': `clusters/${pool}` } },
  spec: {
    clusterName: 'demo-abcde',
    bootstrap: { dataSecretName: 'x' },
    infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachine', name },
  },
});
