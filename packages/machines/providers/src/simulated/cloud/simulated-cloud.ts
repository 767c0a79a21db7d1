import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Logger, sharedDelayHeap, silentLogger } from '@hypershift-ts/kube-controller';
import { LoopbackAddresses } from '@hypershift-ts/kube-kubelet';
import { ConsoleLogs } from '../machine/console.ts';
import { type ClusterConnections, HostedClusters, httpsConnections } from '../machine/hosted-clusters.ts';
import { ignitionAgent } from '../machine/ignition-fetch.ts';
import { SettingsByLayer } from '../machine/kubelet-settings.ts';
import { Layers, MachineRoot } from '../machine/machine-root.ts';
import { operatingSystemOf } from '../machine/operating-system.ts';
import { layerOn, type MachineHost, SimulatedMachine } from '../machine/simulated-machine.ts';
import { CloudError } from './cloud-error.ts';
import { Faults } from './faults.ts';
import type { Instance, InstanceRequest, InstanceState } from './instance.ts';
import { checkOpenFiles, openFileLimit } from './open-files.ts';
import { Turns } from './turns.ts';

/** How long things take; nothing by itself. */
export interface Latencies {
  /** From the request until the instance runs. */
  readonly createMs?: number;
  readonly terminateMs?: number;
  /** Up to this share of each is added by chance. */
  readonly jitter?: number;
}

export interface SimulatedCloudOptions extends Partial<Pick<MachineHost, 'resolve' | 'runtimes' | 'operatingSystem'>> {
  /** Disks and states of all instances; a cloud with the same directory goes on where the last one ended. */
  readonly dataDir: string;
  /** False when no other cloud will go on with the directory: what machines print is then written nowhere. */
  readonly keepsConsoles?: boolean;
  readonly connections?: ClusterConnections;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly random?: () => number;
  /** The loopback range of the instances. */
  readonly addresses?: string;
  readonly latencies?: Latencies;
}

const defaultAddresses = '127.32.0.0/12';
const stateFile = 'instance.json';
/** Machines that boot at the same time; of those that cannot finish nobody waits longer than this. */
const bootTurns = { most: 64, patienceMs: 5000 };

interface StoredInstance {
  /** What it boots with, should it not have come to that before. */
  readonly userData: string;
  readonly address: string;
  readonly nodeName: string;
  readonly launchedMs: number;
  readonly state: InstanceState;
  readonly reason?: string;
}

/** A cloud inside this process: instances with states, addresses and disks that outlive it. */
export class SimulatedCloud {
  readonly faults = new Faults();
  private readonly dataDir: string;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly latencies: Latencies;
  private readonly addresses: LoopbackAddresses;
  private readonly boots: Turns;
  private readonly host: MachineHost;
  private readonly instances = new Map<string, Instance>();
  private readonly making = new Map<string, Promise<Instance>>();
  private readonly listeners = new Set<(instance: Instance) => void>();
  private openFiles: Promise<number> | undefined;
  private found: Promise<ReadonlySet<string>> | undefined;
  private isClosed = false;
  private cleaning: Promise<void> = Promise.resolve();

  constructor(options: SimulatedCloudOptions) {
    const { clock = systemClock, random = Math.random, resolve, runtimes } = options;
    this.dataDir = options.dataDir;
    this.clock = clock;
    this.random = random;
    this.latencies = options.latencies ?? {};
    this.boots = new Turns({ clock, ...bootTurns });
    this.addresses = new LoopbackAddresses(options.addresses ?? defaultAddresses, random);
    this.host = {
      layers: new Layers(join(this.dataDir, 'layers')),
      settings: new SettingsByLayer(),
      ignition: ignitionAgent(),
      ...(options.keepsConsoles === false ? {} : { consoles: new ConsoleLogs(clock) }),
      clusters: new HostedClusters(options.connections ?? httpsConnections(clock, resolve), clock),
      clock,
      log: options.logger ?? silentLogger,
      random,
      ...(resolve ? { resolve } : {}),
      ...(runtimes ? { runtimes } : {}),
      operatingSystem: options.operatingSystem ?? operatingSystemOf,
      unused: (layer) => {
        this.cleaning = this.cleaning.then(() => this.removeLayer(layer)).catch(() => {});
      },
    };
  }

  /** The instance of that id: as it is, as it was before this process, or a new one. Throws CloudError. */
  ensure(request: InstanceRequest): Promise<Instance> {
    const known = this.instances.get(request.id);
    if (known) return Promise.resolve(known);
    const making = this.making.get(request.id) ?? this.make(request).finally(() => this.making.delete(request.id));
    this.making.set(request.id, making);
    return making;
  }

  get(id: string): Instance | undefined {
    return this.instances.get(id);
  }

  list(): Instance[] {
    return [...this.instances.values()];
  }

  /** Calls back after every change of an instance's state. */
  subscribe(listener: (instance: Instance) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Switches a running instance's machine on; a machine that is on stays on. */
  boot(id: string): Promise<void> {
    const instance = this.instances.get(id);
    if (instance?.state !== 'running' || this.isClosed) return Promise.resolve();
    if (instance.machine.state !== 'off') return instance.machine.powerOn();
    return this.boots.take(async () => {
      if (instance.state === 'running' && !this.isClosed) await instance.machine.powerOn();
    });
  }

  /** Makes an instance and boots it at once, for platforms whose machines nobody manages. */
  async launch(request: InstanceRequest): Promise<Instance> {
    const instance = await this.ensure(request);
    if (instance.state === 'running') void this.boot(instance.id);
    else {
      const leave = this.subscribe((changed) => {
        if (changed !== instance || changed.state === 'pending') return;
        leave();
        void this.boot(instance.id);
      });
    }
    return instance;
  }

  /** Ends an instance and its disk, for good. Unknown ids are gone already. */
  async terminate(id: string, reason?: string): Promise<void> {
    await this.making.get(id)?.catch(() => {});
    const instance = this.instances.get(id);
    if (!instance) return rm(this.directoryOf(id), { recursive: true, force: true });
    if (instance.state === 'shutting-down' || instance.state === 'terminated') return;
    if (reason) instance.reason = reason;
    await this.become(instance, 'shutting-down');
    await instance.machine.powerOff();
    this.after(this.latencies.terminateMs, () => void this.ended(instance));
  }

  /** Forgets an instance that has ended. */
  async forget(id: string): Promise<void> {
    if (this.instances.get(id)?.state === 'terminated') this.instances.delete(id);
    await rm(this.directoryOf(id), { recursive: true, force: true });
  }

  /** The cloud takes a spot instance back: a notice first, then it is terminated. */
  interrupt(id: string, noticeMs = 120_000): void {
    const instance = this.instances.get(id);
    instance?.machine.console.print(`cloud: spot interruption notice, ${noticeMs / 1000} s left`);
    this.after(noticeMs, () => void this.terminate(id, 'the spot instance was interrupted by the cloud'));
  }

  async stop(id: string): Promise<void> {
    const instance = this.instances.get(id);
    if (instance?.state !== 'running') return;
    await this.become(instance, 'stopping');
    await instance.machine.powerOff();
    await this.become(instance, 'stopped');
  }

  async start(id: string): Promise<void> {
    const instance = this.instances.get(id);
    if (instance?.state !== 'stopped') return;
    await this.become(instance, 'running');
    await this.boot(id);
  }

  /** Switches every machine off, as a power cut would; states stay on disk for the next cloud. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.listeners.clear();
    await Promise.all([...this.making.values()].map((making) => making.catch(() => {})));
    await Promise.all(this.list().map(({ machine }) => machine.powerOff()));
    await this.host.consoles?.write();
    this.host.ignition.destroy();
    await this.cleaning;
  }

  private async make(request: InstanceRequest): Promise<Instance> {
    if (this.isClosed) throw new CloudError('Unavailable', 'the cloud is closed', true);
    const stored = await this.stored(request.id);
    this.openFiles ??= openFileLimit();
    if (!stored) checkOpenFiles(this.instances.size, await this.openFiles);
    if (!stored && this.faults.meets('capacity', request))
      throw new CloudError('InsufficientCapacity', 'an injected failure: no capacity', true);
    const wanted = stored?.address ?? request.address;
    const address = wanted && this.addresses.reserve(wanted) ? wanted : this.addresses.allocate();
    const nodeName = stored?.nodeName ?? request.nodeName(address);
    const { id } = request;
    const instance: Instance = {
      id,
      request: stored ? { ...request, userData: stored.userData } : request,
      address,
      nodeName,
      providerID: request.providerID,
      launchedMs: stored?.launchedMs ?? this.clock.now(),
      machine: this.machineOf(stored ? { ...request, userData: stored.userData } : request, address, nodeName, !stored),
      state: stored?.state ?? 'pending',
      ...(stored?.reason ? { reason: stored.reason } : {}),
    };
    if (stored) await instance.machine.console.load();
    else {
      await mkdir(this.directoryOf(id), { recursive: true, mode: 0o700 });
      if (this.faults.meets('boot', request)) instance.machine.isBroken = true;
    }
    this.instances.set(id, instance);
    if (instance.state === 'shutting-down') await this.ended(instance);
    else if (instance.state === 'pending')
      if (this.latencies.createMs) this.after(this.latencies.createMs, () => void this.become(instance, 'running'));
      else await this.become(instance, 'running');
    return instance;
  }

  private machineOf(request: InstanceRequest, address: string, nodeName: string, isNew: boolean): SimulatedMachine {
    const { id, shape, labels, providerID, diskGiB, userData } = request;
    return new SimulatedMachine(
      {
        id,
        directory: this.directoryOf(id),
        userData: async () => userData,
        isNew,
        nodeName,
        address,
        providerID,
        ...shape,
        ...(diskGiB ? { diskGiB } : {}),
        ...(labels ? { labels } : {}),
      },
      this.host,
    );
  }

  private async become(instance: Instance, state: InstanceState): Promise<void> {
    if (this.isClosed && state !== 'terminated') return;
    instance.state = state;
    const { address, nodeName, launchedMs, reason, request } = instance;
    const { userData } = request;
    const stored: StoredInstance = { userData, address, nodeName, launchedMs, state, ...(reason ? { reason } : {}) };
    await writeFile(join(this.directoryOf(instance.id), stateFile), JSON.stringify(stored), { mode: 0o600 });
    for (const listener of this.listeners) listener(instance);
  }

  private async ended(instance: Instance): Promise<void> {
    this.addresses.release(instance.address);
    await instance.machine.destroy();
    await this.become(instance, 'terminated');
  }

  /** Removes a configuration, unless an instance that was not looked at since the last restart still has it. */
  private async removeLayer(layer: string): Promise<void> {
    for (const id of await readdir(join(this.dataDir, 'instances')).catch(() => []))
      if ((await layerOn(new MachineRoot(join(this.directoryOf(id), 'root')))) === layer) return;
    this.host.settings.forget(layer);
    await this.host.layers.remove(layer);
  }

  private async stored(id: string): Promise<StoredInstance | undefined> {
    this.found ??= readdir(join(this.dataDir, 'instances')).then(
      (ids) => new Set(ids),
      () => new Set(),
    );
    // What an earlier cloud left here; everything else is known already.
    if (!(await this.found).has(id)) return undefined;
    try {
      return JSON.parse(await readFile(join(this.directoryOf(id), stateFile), 'utf8')) as StoredInstance;
    } catch {
      // Never made, or killed before it was: it begins anew.
      return undefined;
    }
  }

  private directoryOf(id: string): string {
    if (!/^[A-Za-z0-9][\w.-]*$/.test(id)) throw new Error(`${JSON.stringify(id)} cannot be the id of an instance`);
    return join(this.dataDir, 'instances', id);
  }

  private after(ms = 0, callback: () => void): void {
    const { jitter = 0 } = this.latencies;
    if (ms <= 0) callback();
    else
      sharedDelayHeap(this.clock).after(ms * (1 + jitter * this.random()), () =>
        this.isClosed ? undefined : callback(),
      );
  }
}
