import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { join } from 'node:path';
import { type Clock, corev1, delay } from '@hypershift-ts/kube-apimachinery';
import { Informer } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import {
  BuiltinRegistry,
  builtinRuntime,
  type Kubelet,
  type PodFeed,
  type RuntimeOptions,
  startKubelet,
} from '@hypershift-ts/kube-kubelet';
import { explained } from '../cloud/open-files.ts';
import { Console, type ConsoleLogs } from './console.ts';
import type { HostedClusters } from './hosted-clusters.ts';
import { fetchIgnition } from './ignition-fetch.ts';
import type { KubeletSettings, SettingsByLayer } from './kubelet-settings.ts';
import { machineConfigDaemon, type UpgradedMachine } from './machine-config-daemon.ts';
import { BootError } from './machine-error.ts';
import { type Layers, MachineRoot } from './machine-root.ts';
import { Network } from './network.ts';
import { NodeCredentials } from './node-credentials.ts';
import { nodeDescription } from './node-description.ts';
import type { OperatingSystem } from './operating-system.ts';
import { parseUserData } from './user-data.ts';
import type { Resolve } from './names.ts';

/** What the machines of one host share. */
export interface MachineHost {
  readonly layers: Layers;
  readonly settings: SettingsByLayer;
  /** Connections to ignition servers. */
  readonly ignition: Agent;
  /** Absent: consoles are forgotten with the process. */
  readonly consoles?: ConsoleLogs;
  readonly clusters: HostedClusters;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  /** The address of a name that only a cluster's DNS would know. */
  readonly resolve?: Resolve;
  /** What the machines can run pods with, by machine. Default: everything is simulated. */
  readonly runtimes?: (machine: SimulatedMachine) => RuntimeOptions;
  readonly operatingSystem: (image: string) => OperatingSystem;
  /** No machine of this process has that configuration any more. */
  readonly unused: (layer: string) => void;
}

/** One machine's hardware, name and first configuration. */
export interface MachineSpec {
  readonly id: string;
  /** The machine's own directory: its disk, and what its kubelet keeps. */
  readonly directory: string;
  /** Read once, at the first boot. */
  readonly userData: () => Promise<string>;
  /** The directory does not exist yet, so nothing in it needs to be looked for. */
  readonly isNew?: boolean;
  readonly nodeName: string;
  readonly address: string;
  /** Where logs and exec are served. Default 10250, as machine-approver expects it. */
  readonly port?: number;
  readonly providerID?: string;
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly diskGiB?: number;
  readonly architecture?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly extraAddresses?: readonly corev1.NodeAddress[];
}

export type MachineState = 'off' | 'booting' | 'running' | 'failed';

/** Written when Ignition is done; a machine that has it boots from its disk. */
const layerFile = '/var/lib/ignition/result.json';
/** Which configuration an in-place upgrade put on the disk. */
const hashFile = '/var/lib/machine-config-daemon/current-config';
const longestRetryMs = 10_000;

/** A computer that boots by Ignition, starts a kubelet, joins its cluster by CSR and runs pods. */
export class SimulatedMachine {
  readonly spec: MachineSpec;
  readonly console: Console;
  readonly root: MachineRoot;
  state: MachineState = 'off';
  kubelet: Kubelet | undefined;
  /** Fails the next boot before anything runs. */
  isBroken = false;
  private readonly host: MachineHost;
  private readonly network = new Network();
  private isDiskFull = false;
  private hasBooted = false;
  private layer: string | undefined;
  private power: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();
  private endings: (() => Promise<unknown>)[] = [];

  constructor(spec: MachineSpec, host: MachineHost) {
    this.spec = spec;
    this.host = host;
    this.console = new Console(host.clock, join(spec.directory, 'console.log'), host.consoles);
    this.root = new MachineRoot(join(spec.directory, 'root'));
  }

  /** Switches the machine on; resolves when it is a node of its cluster, or has failed to become one. */
  powerOn(): Promise<void> {
    if (this.power) return this.running;
    const power = new AbortController();
    this.power = power;
    this.state = 'booting';
    this.running = this.boot(power.signal).catch((error: unknown) => {
      if (power.signal.aborted) return;
      this.state = 'failed';
      this.console.print(`${error instanceof BootError ? 'boot failed' : 'fault'}: ${explained(error as Error)}`);
      if (!(error instanceof BootError)) this.host.log.error({ error, machine: this.spec.id }, 'a machine broke down');
    });
    return this.running;
  }

  /** Pulls the plug: nothing is told to the cluster. */
  async powerOff(): Promise<void> {
    if (!this.power) return;
    this.power.abort();
    this.power = undefined;
    await this.running;
    for (const end of this.endings.splice(0).reverse()) await end();
    this.kubelet = undefined;
    this.state = 'off';
    this.console.print('power off');
  }

  async reboot(): Promise<void> {
    await this.powerOff();
    await this.powerOn();
  }

  /** Cuts the machine's network or mends it: leases stop, logs cannot be read, containers go on. */
  connectNetwork(isConnected: boolean): void {
    this.console.print(`link is ${isConnected ? 'up' : 'down'}`);
    this.network.connect(isConnected);
    if (!isConnected) this.kubelet?.server?.disconnect();
  }

  /** Fills the disk or empties it again; the node says so. */
  async fillDisk(isFull: boolean): Promise<void> {
    this.isDiskFull = isFull;
    await this.kubelet?.describe({ pressures: isFull ? ['DiskPressure'] : [] });
  }

  /** Puts another configuration on the disk, as an in-place upgrade does; it counts from the next boot. */
  async reapply(ignition: string, hash?: string): Promise<void> {
    const layer = await this.host.layers.of(ignition, 'the new configuration');
    // Held while it is being written; the old one is let go only when nothing of it is left.
    this.host.layers.use(layer.id);
    await this.root.apply(layer);
    await this.root.write(layerFile, JSON.stringify({ layer: layer.id }), 0o644);
    this.takeLayer(layer.id);
    this.host.layers.release(layer.id);
    if (hash !== undefined) await this.root.write(hashFile, hash, 0o644);
    this.console.print(`configuration ${layer.id} applied`);
  }

  /** Takes the disk away, after power off. */
  async destroy(): Promise<void> {
    await this.console.close();
    await this.root.remove();
    this.takeLayer(undefined);
  }

  /** Notes which configuration the disk holds, so that those nobody has can go. */
  private takeLayer(layer: string | undefined): void {
    const previous = this.layer;
    if (previous === layer) return;
    this.layer = layer;
    if (layer !== undefined) this.host.layers.use(layer);
    if (previous !== undefined && this.host.layers.release(previous)) this.host.unused(previous);
  }

  private async boot(signal: AbortSignal): Promise<void> {
    const { spec, console, host } = this;
    console.print(`simulated machine ${spec.id}: ${spec.cpu} CPUs, ${spec.memoryMiB} MiB`);
    if (this.isBroken) throw new BootError('kernel panic - not syncing: no working init found (an injected failure)');
    const isNew = spec.isNew === true && !this.hasBooted;
    const layer = (isNew ? undefined : await layerOn(this.root)) ?? (await this.firstBoot(signal));
    this.hasBooted = true;
    this.takeLayer(layer);
    const settings = await host.settings.of(layer, this.root);
    const credentials = await this.joinCluster(settings, isNew, signal);
    this.endings.push(() => credentials.close());
    await this.startNode(settings, credentials, signal);
    this.state = 'running';
    const serving = credentials.obtainServing();
    this.endings.push(() => serving.catch(() => {}));
    serving.catch((error: unknown) => host.log.error({ error, machine: spec.id }, 'no serving certificate'));
  }

  /** Becomes somebody in the cluster, however long that takes. */
  private async joinCluster(settings: KubeletSettings, isNew: boolean, signal: AbortSignal): Promise<NodeCredentials> {
    const { root, network, console } = this;
    const { clock, log, random, clusters } = this.host;
    const { nodeName, address } = this.spec;
    const shared = { nodeName, address, root, network, clusters, console, clock, log, random, isNew };
    for (let wait = 250; ; wait = Math.min(wait * 2, longestRetryMs)) {
      try {
        return await NodeCredentials.obtain(shared, settings.bootstrap, signal);
      } catch (error) {
        if (signal.aborted || error instanceof BootError) throw error;
        console.print(`kubelet: the cluster cannot be joined: ${explained(error as Error)}; trying again`);
        await delay(clock, wait, signal);
      }
    }
  }

  /** Ignition: fetch the configuration, write it to the disk. Happens once in a machine's life. */
  private async firstBoot(signal: AbortSignal): Promise<string> {
    const { host, console } = this;
    const { remote, authorities, document } = parseUserData(await this.spec.userData());
    const text = remote
      ? await fetchIgnition({
          remote,
          authorities,
          agent: host.ignition,
          ...(host.resolve ? { resolve: host.resolve } : {}),
          isConnected: () => this.network.isConnected,
          console,
          clock: host.clock,
          random: host.random,
          signal,
        })
      : JSON.stringify(document);
    const layer = await host.layers.of(text, 'the Ignition config');
    this.takeLayer(layer.id);
    await this.root.apply(layer);
    await this.root.write(layerFile, JSON.stringify({ layer: layer.id }), 0o644);
    console.print(`ignition: finished, ${layer.nodes.length} files and directories`);
    return layer.id;
  }

  private async startNode(settings: KubeletSettings, credentials: NodeCredentials, signal: AbortSignal): Promise<void> {
    const { host, spec, console } = this;
    const { shared } = credentials.cluster;
    const { client } = credentials;
    const feed = this.network.pods(shared?.pods(spec.nodeName) ?? this.ownPods(credentials));
    const given = host.runtimes?.(this) ?? {};
    const daemon = { name: 'machine-config-daemon', commands: ['machine-config-daemon'] };
    const upgrades = new BuiltinRegistry().register({
      ...daemon,
      run: machineConfigDaemon(() => this.upgraded(credentials)),
    });
    const runtimes = { ...given, others: [builtinRuntime({ registry: upgrades }), ...(given.others ?? [])] };
    const system = host.operatingSystem(settings.osImage);
    const options = {
      client,
      ...(shared ? { cache: shared.cache } : {}),
      ...nodeDescription(spec, settings, system, randomUUID()),
      ...(this.isDiskFull ? { pressures: ['DiskPressure' as const] } : {}),
      nodeName: spec.nodeName,
      address: spec.address,
      dataDir: join(spec.directory, 'kubelet'),
      hostRoot: this.root.directory,
      tls: {
        pair: () => credentials.servingPair,
        clientCa: settings.clientCa,
        allowedClients: ['system:kube-apiserver', 'kube-apiserver-kubelet-client'],
      },
      runtimes,
      pods: feed,
      clock: host.clock,
      log: host.log,
      shutdownGraceSeconds: 1,
    };
    let port = spec.port ?? 10250;
    for (let wait = 250; ; wait = Math.min(wait * 2, longestRetryMs)) {
      signal.throwIfAborted();
      try {
        this.kubelet = await startKubelet({ ...options, port });
        break;
      } catch (error) {
        // Somebody else's kubelet has the port on every address of this host; the node says which one it took instead.
        if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && port !== 0) port = 0;
        else {
          console.print(`kubelet: ${explained(error as Error)}; trying again`);
          await delay(host.clock, wait, signal);
        }
      }
    }
    const { kubelet } = this;
    this.endings.push(() => kubelet.stop());
    console.print(`kubelet: node ${spec.nodeName} is registered and ready`);
  }

  private upgraded({ client }: NodeCredentials): UpgradedMachine {
    return {
      nodeName: this.spec.nodeName,
      client,
      currentConfig: () => this.root.read(hashFile),
      reapply: (ignition, hash) => this.reapply(ignition, hash),
      reboot: () => void this.reboot(),
    };
  }

  private ownPods({ client }: NodeCredentials): PodFeed {
    const { clock } = this.host;
    const scope = { fieldSelector: `spec.nodeName=${this.spec.nodeName}` };
    const pods = new Informer({ client, type: corev1.pods, scope, clock });
    pods.start();
    this.endings.push(() => pods.stop());
    return pods;
  }
}

/** Which configuration a disk holds; undefined before Ignition is done. */
export async function layerOn(root: MachineRoot): Promise<string | undefined> {
  const text = await root.read(layerFile);
  return text === undefined ? undefined : (JSON.parse(text) as { readonly layer: string }).layer;
}
