import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { apiextensionsv1, corev1, isConditionTrue, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { silentLogger } from '@hypershift-ts/kube-controller';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { createAuthority } from '@hypershift-ts/kube-pki';
import { capiv1beta2 as capi } from '@hypershift-ts/machines-cluster-api';
import { eventually, namespace } from '../../../e2e/cluster-api/fixture.ts';
import type { ClusterApi } from '../../../e2e/cluster-api/implementations.ts';
import { freePort, runManager } from '../../../e2e/cluster-api/real-manager.ts';

const variable = 'HYPERSHIFT_CAPI_INMEMORY';
const group = 'infrastructure.cluster.x-k8s.io';
const clusterName = 'demo';

/** Upstream's provider of machines that exist in its memory only; undefined, and loudly so, when it is not here. */
export function findInMemoryProvider(): string | undefined {
  const program = process.env[variable];
  if (!program) {
    process.stderr.write(`SKIPPED: the in-memory provider of Cluster API, for lack of ${variable}\n`);
    return undefined;
  }
  if (!existsSync(program)) throw new Error(`${variable} names ${program}, which does not exist`);
  return program;
}

const kindOf = (kind: string): ResourceType => ({
  group,
  version: 'v1beta2',
  kind,
  resource: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const devClusters = kindOf('DevCluster');
const devMachines = kindOf('DevMachine');
const devMachineTemplates = kindOf('DevMachineTemplate');
/** The provider watches all of its kinds, whether anybody uses them or not. */
const otherKinds = [
  'DevClusterTemplate',
  'DockerCluster',
  'DockerClusterTemplate',
  'DockerMachine',
  'DockerMachineTemplate',
];

export interface InMemoryWorld {
  readonly client: Client;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** Upstream's manager and its in-memory provider, with one control plane machine and an empty MachineDeployment. */
export async function startInMemoryWorld(
  manager: ClusterApi,
  provider: string,
  providerFlags: readonly string[],
): Promise<InMemoryWorld> {
  const management = await EmbeddedCluster.start({ controllers: false });
  const client = management.client();
  const place = { management, guest: management, namespace, logger: silentLogger };
  const kinds = [devClusters, devMachines, devMachineTemplates, ...otherKinds.map(kindOf)];
  for (const crd of [...(await manager.crds(place)), ...kinds.map(looseCrd)]) {
    await client.create(apiextensionsv1.customresourcedefinitions, crd as never);
  }
  await client.create(corev1.namespaces, { metadata: { name: namespace } });
  const started: (() => Promise<void>)[] = [() => management.stop()];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    started.push(await manager.start(place));
    const flags = [
      `--namespace=${namespace}`,
      '--feature-gates=MachinePool=false',
      '--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields',
      ...providerFlags,
    ];
    const port = await freePort();
    const running = await runManager({ program: provider, management, port, flags, env: { POD_IP: '127.0.0.1' } });
    started.push(running.stop);
    await createAuthorities(client);
    await createCluster(client);
    return { client, pids: [manager.pid?.(), running.pid].flatMap((pid) => pid ?? []), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function looseCrd({ kind, resource }: ResourceType): object {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    metadata: { name: `${resource}.${group}`, labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta2' } },
    spec: {
      group,
      names: { kind, plural: resource, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1beta2',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/** A control plane provider would make these; the provider takes RSA keys only. */
async function createAuthorities(client: Client): Promise<void> {
  for (const name of ['ca', 'etcd']) {
    const { certificatePem, keyPem } = await createAuthority({
      subject: { commonName: name },
      now: Date.now(),
      keyType: 'RSA-2048',
    });
    const key = createPrivateKey(keyPem).export({ type: 'pkcs1', format: 'pem' });
    await client.create(corev1.secrets, {
      metadata: {
        name: `${clusterName}-${name}`,
        namespace,
        labels: { 'cluster.x-k8s.io/cluster-name': clusterName },
      },
      type: 'cluster.x-k8s.io/secret',
      stringData: { 'tls.crt': certificatePem, 'tls.key': key.toString() },
    });
  }
}

const inMemory = { backend: { inMemory: {} } };
const infrastructureRef = (kind: string, name: string) => ({ apiGroup: group, kind, name });

async function createCluster(client: Client): Promise<void> {
  const metadata = { name: clusterName, namespace };
  // The provider writes into the annotations and expects some to be there.
  const annotated = { ...metadata, annotations: { 'example.com/made-by': 'bench' } };
  await client.create(devClusters, { metadata: annotated, spec: inMemory } as never);
  await client.create(capi.clusters, {
    metadata,
    spec: { infrastructureRef: infrastructureRef('DevCluster', clusterName) },
  });
  const labels = { 'cluster.x-k8s.io/cluster-name': clusterName, 'cluster.x-k8s.io/control-plane': '' };
  const controlPlane = { name: 'control-plane', namespace, labels };
  await client.create(devMachines, { metadata: controlPlane, spec: inMemory } as never);
  await client.create(capi.machines, {
    metadata: controlPlane,
    spec: {
      clusterName,
      version: 'v1.35.0',
      bootstrap: { dataSecretName: 'bootstrap' },
      infrastructureRef: infrastructureRef('DevMachine', 'control-plane'),
    },
  });
  await eventually(
    async () => {
      const { status } = await client.get(capi.clusters, metadata);
      return isConditionTrue(status?.conditions, 'ControlPlaneInitialized');
    },
    'the control plane is initialized',
    undefined,
    8000,
  );
  await client.create(devMachineTemplates, {
    metadata: { name: 'template', namespace },
    spec: { template: { spec: inMemory } },
  } as never);
  const matchLabels = { pool: 'pool' };
  await client.create(capi.machinedeployments, {
    metadata: { name: 'pool', namespace },
    spec: {
      clusterName,
      replicas: 0,
      // Its webhook would fill this in.
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      selector: { matchLabels },
      template: {
        metadata: { labels: matchLabels },
        spec: {
          clusterName,
          version: 'v1.35.0',
          bootstrap: { dataSecretName: 'bootstrap' },
          infrastructureRef: infrastructureRef('DevMachineTemplate', 'template'),
        },
      },
    },
  });
}
