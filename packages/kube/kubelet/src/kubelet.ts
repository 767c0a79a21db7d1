import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, Informer, InformerCache } from '@hypershift-ts/kube-client';
import { ClientEventRecorder, type EventRecorder, type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import { defaultLogLimits, type LogLimits } from './logs/container-log.ts';
import { defaultPodCidr, LoopbackAddresses, sharedAddresses } from './node/loopback-addresses.ts';
import { NodeAgent } from './node/node-agent.ts';
import type { NodeContext } from './node/node-context.ts';
import { capacityOf, type NodeDescription } from './node/node-object.ts';
import { removeOrphans } from './pod/pod-directories.ts';
import type { PodFeed } from './pod/pod-feed.ts';
import { PodWorkers } from './pod/pod-workers.ts';
import { endLeftovers } from './runtime/leftovers.ts';
import { type RuntimeOptions, runtimesFrom } from './runtime/runtimes.ts';
import { KubeletServer, type KubeletTls } from './server/kubelet-server.ts';
import { ClusterNames } from './services/cluster-names.ts';
import { namedObjects, sharedObjects } from './volumes/referenced-objects.ts';

export interface KubeletOptions extends Omit<NodeDescription, 'name' | 'address' | 'port'> {
  readonly client: Client;
  readonly nodeName: string;
  /** Pod directories and logs; must belong to this kubelet alone. */
  readonly dataDir: string;
  /** The node's own disk: hostPath volumes lie below it. Absent: they are paths of this machine. */
  readonly hostRoot?: string;
  /** Containers are run by the first of builtin, process and simulated that can. */
  readonly runtimes?: RuntimeOptions;
  /** Absent: no server, so no logs and no exec through the API. */
  readonly tls?: KubeletTls;
  /** The node's address and where its server listens. Default 127.0.0.1. */
  readonly address?: string;
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** Loopback range for pods. Absent: one range shared by all nodes of this process. */
  readonly podCIDR?: string;
  /**
   * Informers shared with others of the same cluster; needs the right to read all Secrets and ConfigMaps. Absent: the
   * kubelet watches only what its own pods refer to, as node credentials allow.
   */
  readonly cache?: InformerCache;
  /** What the cluster's DNS knows. Absent: the names of Services, which node credentials may read. */
  readonly names?: ClusterNames;
  /** The node's pods, from an informer shared by many nodes. Absent: a watch of its own. */
  readonly pods?: PodFeed;
  readonly events?: EventRecorder;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly logLimits?: LogLimits;
  /** What running containers get when the kubelet stops. Default 5 seconds. */
  readonly shutdownGraceSeconds?: number;
}

/** A node of the cluster inside this process. */
export class Kubelet {
  readonly nodeName: string;
  readonly workers: PodWorkers;
  readonly server: KubeletServer | undefined;
  private readonly agent: NodeAgent;
  private readonly endings: (() => Promise<unknown>)[];

  constructor(
    workers: PodWorkers,
    server: KubeletServer | undefined,
    agent: NodeAgent,
    endings: (() => Promise<unknown>)[],
  ) {
    this.nodeName = agent.nodeName;
    this.workers = workers;
    this.server = server;
    this.agent = agent;
    this.endings = endings;
  }

  /** Something about the node changed: its status says so at once. */
  describe(change: Partial<NodeDescription>): Promise<void> {
    return this.agent.describe(change);
  }

  /** Ends containers, watches, timers and sockets. Pods stay as they are in the API, as when a machine is switched off. */
  async stop(): Promise<void> {
    for (const end of this.endings.splice(0).reverse()) await end();
  }
}

/** Registers a node and runs the pods assigned to it. Resolves when the node is ready. */
export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const { client, nodeName, dataDir, clock = systemClock, log = silentLogger, address = '127.0.0.1' } = options;
  const endings: (() => Promise<unknown>)[] = [];
  try {
    // What was made just now holds nothing of an earlier kubelet.
    const isNew = (await mkdir(dataDir, { recursive: true, mode: 0o700 })) !== undefined;
    if (!isNew) await endLeftovers(join(dataDir, 'pods'));
    const cache = options.cache ?? new InformerCache({ client, clock });
    if (!options.cache) {
      cache.start();
      endings.push(() => cache.stop());
    }
    const events = options.events ?? ownRecorder(client, nodeName, clock, log, endings);
    const objects = options.cache ? sharedObjects(options.cache, client) : namedObjects(client);
    endings.push(() => objects.stop());
    const services = async (): Promise<readonly corev1.Service[]> => {
      const informer = cache.informer(corev1.services);
      await informer.whenSynced();
      return informer.list();
    };
    const node: NodeContext = {
      client,
      clock,
      log,
      events,
      nodeName,
      hostIP: address,
      dataDir,
      ...(options.hostRoot ? { hostRoot: options.hostRoot } : {}),
      runtimes: runtimesFrom(options.runtimes ?? {}, {
        clock,
        dataDir,
        names: options.names ?? new ClusterNames(cache, false),
      }),
      objects,
      addresses: options.podCIDR ? new LoopbackAddresses(options.podCIDR) : sharedAddresses(defaultPodCidr),
      allocatable: { ...capacityOf({ ...options, name: nodeName, address }), ...options.allocatable },
      logLimits: options.logLimits ?? defaultLogLimits,
      shutdownGraceMs: (options.shutdownGraceSeconds ?? 5) * 1000,
      newContainerId: () => randomBytes(32).toString('hex'),
      services,
    };
    const workers = new PodWorkers(node);
    const server = options.tls ? new KubeletServer({ tls: options.tls, workers, clock, log }) : undefined;
    const port = await server?.listen(address, options.port ?? 0);
    if (server) endings.push(() => server.close());
    const description: NodeDescription = { ...options, name: nodeName, address, ...(port ? { port } : {}) };
    const agent = new NodeAgent({ client, clock, log, description });
    endings.push(() => agent.stop());
    await agent.start();
    const pods = options.pods ?? ownPods(client, nodeName, clock, log, endings);
    workers.follow(pods);
    endings.push(() => workers.stop());
    if (!isNew && (await pods.whenSynced())) {
      const known = new Set(pods.list().map(({ metadata }) => metadata.uid));
      await removeOrphans(dataDir, (uid) => known.has(uid) || workers.has(uid));
    }
    return new Kubelet(workers, server, agent, endings);
  } catch (error) {
    for (const end of endings.reverse()) await end();
    throw error;
  }
}

function ownPods(
  client: Client,
  nodeName: string,
  clock: Clock,
  log: Logger,
  endings: (() => Promise<unknown>)[],
): PodFeed {
  const pods = new Informer({
    client,
    type: corev1.pods,
    scope: { fieldSelector: `spec.nodeName=${nodeName}` },
    clock,
    onError: (error) => log.warn({ error, node: nodeName }, 'the pods of the node could not be followed; trying again'),
  });
  pods.start();
  endings.push(() => pods.stop());
  return pods;
}

function ownRecorder(
  client: Client,
  host: string,
  clock: Clock,
  log: Logger,
  endings: (() => Promise<unknown>)[],
): EventRecorder {
  const recorder = new ClientEventRecorder({ client, component: 'kubelet', host, clock, log });
  endings.push(() => recorder.close());
  return recorder;
}
