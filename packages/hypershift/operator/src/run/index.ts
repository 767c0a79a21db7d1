/** The operator as a program: it runs until it is told to stop. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { OperatorFacts } from '@hypershift-ts/hypershift-api';
import { privateLinkController } from '@hypershift-ts/hypershift-control-plane';
import { type CloudAccounts, platforms } from '@hypershift-ts/hypershift-platforms';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';
import { type Controller, type EventRecorder, type Logger, Manager } from '@hypershift-ts/kube-controller';
import { discoverCapabilities, type ManagementCapabilities } from '../capabilities/index.ts';
import { hostedClusterController, type HostedClusterOptions } from '../hosted-cluster/index.ts';
import { SecurityContextUids } from '../namespace/index.ts';
import { nodePoolController, type NodePoolOptions } from '../nodepool/index.ts';
import { advertiseVersions, ensureAdmissionPolicies } from './at-start.ts';

export { admissionPolicies } from './admission-policies.ts';

type FromCluster = Pick<
  HostedClusterOptions,
  | 'releases'
  | 'operatorImage'
  | 'providerImages'
  | 'settings'
  | 'lookup'
  | 'clusterMonitoring'
  | 'egressBlockCidrs'
  | 'oidcDocuments'
>;

type FromNodePool = Pick<NodePoolOptions, 'osStreams' | 'instanceFacts'>;

export interface HypershiftOperatorOptions extends FromCluster, FromNodePool {
  /** Of the management cluster. */
  readonly client: Client;
  /** Where the operator itself lives; `hypershift` unless said otherwise. */
  readonly namespace?: string;
  /** Who holds the lease; a random name unless said otherwise. */
  readonly identity?: string;
  /** What the management cluster offers; discovered unless given. */
  readonly capabilities?: ManagementCapabilities;
  /** How the operator was installed. */
  readonly operator?: OperatorFacts;
  /** The operator's own version, which clients compare with theirs. */
  readonly version?: string;
  /** More controllers for the same manager, given what was discovered. */
  readonly controllers?: (capabilities: ManagementCapabilities) => readonly Controller[];
  /** How clouds are called; without one, conditions say that nobody calls the cloud. */
  readonly accounts?: CloudAccounts;
  readonly cache?: InformerCache;
  readonly events?: EventRecorder;
  readonly registry?: NonNullable<ConstructorParameters<typeof Manager>[0]['registry']>;
  readonly random?: () => number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called once every controller works. */
  readonly onReady?: (manager: Manager) => void;
}

/** Upstream's lease, so that only one operator works whatever it is written in. */
const lease = 'hypershift-operator-leader-elect';
const second = 1000;

function managerOf(options: HypershiftOperatorOptions, namespace: string): Manager {
  const { client, cache, events, registry, random, clock, logger } = options;
  return new Manager({
    client,
    clock,
    logger,
    ...(cache ? { cache } : {}),
    ...(events ? { events } : {}),
    ...(registry ? { registry } : {}),
    ...(random ? { random } : {}),
    leaderElection: {
      lease: { namespace, name: lease },
      identity: options.identity ?? `hypershift-operator_${randomUUID()}`,
      leaseDurationMs: 60 * second,
      renewDeadlineMs: 40 * second,
      retryPeriodMs: 15 * second,
    },
  });
}

/** Runs the controllers of the HyperShift operator until the signal aborts; rejects when it cannot go on. */
export async function runHypershiftOperator(options: HypershiftOperatorOptions): Promise<void> {
  try {
    await run(options);
  } catch (error) {
    // Being stopped while it starts is no failure.
    if (!options.signal.aborted) throw error;
  }
}

/** The management cluster's side of private links, for the platforms whose kinds it has. */
function privateLinkControllers(
  { accounts = () => undefined }: HypershiftOperatorOptions,
  capabilities: ManagementCapabilities,
): readonly Controller[] {
  return platforms
    .filter(({ traits }) => traits.privateConnectivity && capabilities.serves(traits.privateConnectivity.type))
    .flatMap((platform) => privateLinkController({ platform, side: 'offer', accounts }) ?? []);
}

async function run(options: HypershiftOperatorOptions): Promise<void> {
  const { client, namespace = 'hypershift', version = '', signal } = options;
  const capabilities = options.capabilities ?? (await discoverCapabilities(client));
  await ensureAdmissionPolicies(client, capabilities, signal);
  await advertiseVersions(client, namespace, version, signal);
  const manager = managerOf(options, namespace);
  manager.add(
    hostedClusterController({
      ...options,
      namespace,
      capabilities,
      operator: options.operator ?? {},
      uids: capabilities.cluster.assignsUserIds ? undefined : new SecurityContextUids(),
      random: options.random ?? Math.random,
      uuid: randomUUID,
      randomBytes,
    }),
    nodePoolController({ ...options, uuid: randomUUID }),
    ...privateLinkControllers(options, capabilities),
    ...(options.controllers?.(capabilities) ?? []),
  );
  manager.addRunnable(async () => options.onReady?.(manager));
  await manager.run(signal);
}
