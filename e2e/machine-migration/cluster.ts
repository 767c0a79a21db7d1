import {
  isNotFound,
  type KubeObject,
  type ResourceType,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { Manager } from '@hypershift-ts/kube-controller';
import { capiv1beta2, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { controlplanemachinesets, machineApiCrds, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import {
  commonPolicies,
  type InfraObject,
  migrationControllers,
  type PlatformConversion,
  platformConversion,
  platformPolicies,
} from '@hypershift-ts/machines-migration';
import { type InfrastructureProvider, providerCrds } from '@hypershift-ts/machines-providers';
import { vi } from 'vitest';
import { admissionTypes, createNamespaces, definitionOf, waitUntilServed } from '../admission/fixtures.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { actors } from './actors.ts';
import { clusterApiNamespace, machineApiNamespace, newKey } from './keys.ts';

export const clusterName = 'prod-x7k2p';

/** A platform with what its cluster needs before machines can be converted. */
export interface PlatformSetup {
  readonly platform: string;
  readonly provider: InfrastructureProvider;
  readonly clusterSpec: object;
  readonly azureSubscriptionID?: string;
}

const onAws: PlatformSetup = { platform: 'AWS', provider: 'aws', clusterSpec: { region: 'us-east-1' } };

/** What Infrastructure `cluster` says. */
export const infrastructure = {
  infrastructureName: clusterName,
  apiServerInternalURI: 'https://api-int.prod.example.com:6443',
  platformStatus: { type: 'AWS', aws: { region: 'us-east-1' } },
};

const controllerUser = {
  name: 'system:serviceaccount:openshift-cluster-api:capi-controllers',
  groups: ['system:masters', 'system:authenticated'],
};
const infrastructures: ResourceType = {
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'Infrastructure',
  resource: 'infrastructures',
  namespaced: false,
};

export const eventually = <T>(check: () => Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 25_000, interval: 20 });

export async function read<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  key: { readonly name: string; readonly namespace: string },
): Promise<T | undefined> {
  try {
    return await client.get(type, key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const verbs = new Set(['create', 'update', 'patch', 'apply', 'delete', 'deleteCollection']);

/** A client whose every write goes through `around`. */
function withWrites(client: Client, around: (what: string, write: () => Promise<unknown>) => Promise<unknown>): Client {
  return new Proxy(client, {
    get(target, verb: keyof Client) {
      const method = target[verb];
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const call = () => (method as (...all: unknown[]) => Promise<unknown>).apply(target, args);
        return verbs.has(verb)
          ? around(`${verb} ${(args[0] as ResourceType).resource} ${JSON.stringify(args[1])}`, call)
          : call();
      };
    },
  });
}

/** Of three writes one never arrives and one arrives without an answer. */
function unreliable(): (write: () => Promise<unknown>) => Promise<unknown> {
  let count = 0;
  return async (write) => {
    const turn = count++ % 3;
    if (turn === 0) throw new Error('the connection broke before the request was sent');
    const answer = await write();
    if (turn === 1) throw new Error('the connection broke before the answer came');
    return answer;
  };
}

/** The migration controllers at work, with what they have done so far. */
export interface Running {
  readonly writes: readonly string[];
  /** Reason and object of each Warning event. */
  readonly warnings: readonly string[];
  /** Resolves when each controller has looked at this name at least once. */
  lookedAt(kind: 'Machine' | 'MachineSet', name: string): Promise<void>;
  stop(): Promise<void>;
}

/** A cluster with both APIs, the policies, and whoever plays the controllers of both sides. */
export class MigrationCluster {
  readonly client: Client;
  private readonly server: TestCluster;
  private readonly players: Manager;
  private readonly setup: PlatformSetup;
  private readonly conversion: PlatformConversion;

  private constructor(server: TestCluster, setup: PlatformSetup) {
    this.server = server;
    this.setup = setup;
    this.conversion = platformConversion(setup.platform)!;
    this.client = server.cluster.client();
    this.players = actors(server.cluster.client(controllerUser), this.conversion.kinds.machine);
  }

  /** `described`: whether the Cluster and its InfraCluster are there already. */
  static async start({
    described = true,
    setup = onAws,
  }: {
    readonly described?: boolean;
    readonly setup?: PlatformSetup;
  } = {}): Promise<MigrationCluster> {
    const cluster = new MigrationCluster(await startTestCluster(), setup);
    await cluster.install();
    if (described) await cluster.describe();
    await cluster.players.start();
    return cluster;
  }

  async stop(): Promise<void> {
    await this.players.stop();
    await this.server.stop();
  }

  /** A client that the policies know as a controller's. */
  controllerClient(): Client {
    return this.server.cluster.client(controllerUser);
  }

  /** The same over HTTPS, as from a process of its own; to be closed. */
  remoteControllerClient(): Client {
    const config = clusterConfigFrom(parseKubeconfig(this.server.cluster.adminKubeconfig(), 'test', '/'));
    return new HttpClient({ ...config, impersonate: { user: controllerUser.name, groups: controllerUser.groups } });
  }

  /** Starts the controllers; as often as a test likes, one after the other. */
  async run({ broken = false }: { readonly broken?: boolean } = {}): Promise<Running> {
    const writes: string[] = [];
    const warnings: string[] = [];
    const seen = new Set<string>();
    const deliver = broken ? unreliable() : (write: () => Promise<unknown>) => write();
    const manager = new Manager({
      client: withWrites(this.controllerClient(), (what, write) => {
        writes.push(what);
        return deliver(write);
      }),
      events: { normal() {}, warning: (about, reason) => void warnings.push(`${reason} ${about.metadata.name}`) },
      gracePeriodMs: 5000,
    });
    const { azureSubscriptionID } = this.setup;
    for (const definition of migrationControllers({
      platform: this.conversion,
      infrastructure,
      ...(azureSubscriptionID ? { azureSubscriptionID } : {}),
    }))
      manager.add({
        ...definition,
        async reconcile(key, context) {
          const result = await definition.reconcile(key, context);
          seen.add(`${definition.name} ${key.name}`);
          return result;
        },
      });
    await manager.start();
    return {
      writes,
      warnings,
      lookedAt: (kind, name) =>
        eventually(async () => {
          for (const controller of [`${kind}SyncController`, `${kind}MigrationController`])
            if (!seen.has(`${controller} ${name}`)) throw new Error(`${controller} has not looked at ${name}`);
        }),
      stop: () => manager.stop(),
    };
  }

  private async describe(): Promise<void> {
    const { client } = this;
    const { cluster } = this.conversion.kinds;
    await client.create<InfraObject>(cluster, { metadata: newKey(clusterName), spec: this.setup.clusterSpec });
    await client.create(capiv1beta2.clusters, {
      metadata: newKey(clusterName),
      spec: {
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: cluster.kind, name: clusterName },
      },
    });
  }

  private async install(): Promise<void> {
    const { client } = this;
    const { kinds } = this.conversion;
    await createNamespaces(client, [machineApiNamespace, clusterApiNamespace], {});
    const types = [
      mapiv1beta1.machines,
      mapiv1beta1.machinesets,
      controlplanemachinesets,
      capiv1beta2.clusters,
      capiv1beta2.machines,
      capiv1beta2.machinesets,
      kinds.machine,
      kinds.template,
      kinds.cluster,
    ];
    const wanted = new Set(types.map(({ resource, group }) => `${resource}.${group}`));
    const definitions = [
      ...machineApiCrds({ migration: true }),
      ...clusterApiCrds({ served: ['v1beta2'] }),
      ...providerCrds(this.setup.provider),
    ].filter(({ metadata }) => wanted.has(metadata.name ?? ''));
    for (const definition of definitions)
      await client.create(admissionTypes.definitions, definition as unknown as UnstructuredObject);
    const { group, version, resource, kind } = infrastructures;
    const definition = definitionOf(group, version, resource, kind);
    await client.create(admissionTypes.definitions, {
      ...definition,
      spec: { ...(definition['spec'] as object), scope: 'Cluster' },
    });
    for (const type of [...types, infrastructures])
      await waitUntilServed(this.server.client, `/apis/${type.group}/${type.version}/${type.resource}`);
    await client.create(infrastructures, {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
    });
    for (const { policy, binding } of [...commonPolicies(), ...platformPolicies(this.conversion)]) {
      await client.create(admissionTypes.policies, policy as unknown as UnstructuredObject);
      await client.create(admissionTypes.bindings, binding as unknown as UnstructuredObject);
    }
  }
}

/** What a user says of an instance on AWS. */
export function awsProviderSpec(changes: object = {}) {
  return {
    value: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AWSMachineProviderConfig',
      ami: { id: 'ami-0123' },
      instanceType: 'm6i.xlarge',
      credentialsSecret: { name: 'aws-cloud-credentials' },
      userDataSecret: { name: 'worker-user-data' },
      placement: { region: 'us-east-1', availabilityZone: 'us-east-1a' },
      subnet: { id: 'subnet-0123' },
      iamInstanceProfile: { id: 'worker-profile' },
      metadataServiceOptions: { authentication: 'Required' },
      blockDevices: [{ ebs: { volumeSize: 120, volumeType: 'gp3' } }],
      ...changes,
    },
  };
}
