import { mkdir, rm } from 'node:fs/promises';
import { type Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type Delayed, sharedDelayHeap } from '@hypershift-ts/kube-controller';
import { expand } from '../environment/expansion.ts';
import type { PodFacts } from '../environment/field-values.ts';
import type { Mount } from '../runtime/mount-paths.ts';
import { AtomicWriter } from './atomic-writer.ts';
import { type PayloadSources, VolumeError, volumePayload } from './payload.ts';
import type { ReferencedObjects } from './referenced-objects.ts';
import { PodTokens } from './service-account-token.ts';
import { claimDirectory, hostPathDirectory, subPathDirectory, volumeDirectory } from './volume-directory.ts';

export interface PodVolumesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly objects: ReferencedObjects;
  readonly podDir: string;
  readonly dataDir: string;
  /** Where hostPath volumes begin, on nodes with a disk of their own. */
  readonly hostRoot?: string;
  facts(): PodFacts;
  /** A live update failed; the files stay as they were. */
  onError(error: unknown): void;
}

/** The volumes of one pod: made before its containers, kept up to date while they run, removed after them. */
export class PodVolumes {
  private readonly options: PodVolumesOptions;
  private readonly tokens: PodTokens;
  private readonly directories = new Map<string, string>();
  private readonly writers = new Map<string, AtomicWriter>();
  private readonly unfollow: (() => void)[] = [];
  private renewal: Delayed | undefined;
  private work: Promise<void> = Promise.resolve();
  private isPending = false;
  private isStopped = false;

  constructor(options: PodVolumesOptions) {
    this.options = options;
    this.tokens = new PodTokens(options.client, options.clock);
  }

  /** Makes every volume; fails with VolumeError naming the first that cannot be made. */
  async setUp(): Promise<void> {
    const { pod } = this.options.facts();
    for (const volume of pod.spec?.volumes ?? []) {
      try {
        await this.setUpOne(pod, volume);
      } catch (error) {
        throw new VolumeError(`MountVolume.SetUp failed for volume "${volume.name}" : ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    // An update under way when the pod ended comes here after its last follower was taken away.
    if (this.isStopped) return;
    if (this.unfollow.length === 0) this.follow(pod);
    this.scheduleRenewal();
  }

  /** Brings projected files up to date, soon and never twice at once. */
  refresh(): void {
    if (this.isPending || this.isStopped) return;
    this.isPending = true;
    this.work = this.work.then(async () => {
      this.isPending = false;
      if (this.isStopped) return;
      await this.setUp().catch((error: unknown) => this.options.onError(error));
    });
  }

  /** A container's mounts, with subPaths resolved. */
  async mountsOf(container: corev1.Container, env: Readonly<Record<string, string>>): Promise<Mount[]> {
    const mounts: Mount[] = [];
    for (const mount of container.volumeMounts ?? []) {
      const directory = this.directories.get(mount.name);
      if (!directory) throw new VolumeError(`volume "${mount.name}" of container ${container.name} does not exist`);
      const subPath = mount.subPathExpr ? expand(mount.subPathExpr, (name) => env[name]) : mount.subPath;
      mounts.push({
        mountPath: mount.mountPath,
        hostPath: subPath ? await subPathDirectory(directory, subPath) : directory,
        readOnly: mount.readOnly ?? false,
      });
    }
    return mounts;
  }

  /** Ends updates and removes what belonged to the pod alone. */
  async tearDown(): Promise<void> {
    await this.stop();
    await rm(`${this.options.podDir}/volumes`, { recursive: true, force: true });
  }

  /** Ends updates and leaves the files, for a kubelet that comes back. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.renewal) this.renewal.callback = undefined;
    for (const end of this.unfollow.splice(0)) end();
    await this.work;
  }

  private async setUpOne(pod: corev1.Pod, volume: corev1.Volume): Promise<void> {
    const { client, podDir, dataDir, clock } = this.options;
    if (volume.hostPath)
      return void this.directories.set(volume.name, await hostPathDirectory(volume.hostPath, this.options.hostRoot));
    const claimName =
      volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined);
    if (claimName) {
      if (this.directories.has(volume.name)) return;
      const directory = await claimDirectory(client, pod.metadata.namespace ?? '', claimName, dataDir);
      return void this.directories.set(volume.name, directory);
    }
    const directory = volumeDirectory(podDir, volume);
    const payload = await volumePayload(volume, this.sources(pod));
    if (payload) {
      const writer = this.writers.get(volume.name) ?? new AtomicWriter(directory);
      this.writers.set(volume.name, writer);
      await writer.write(payload, clock.now());
    } else if (volume.emptyDir) await mkdir(directory, { recursive: true, mode: 0o777 });
    else throw new VolumeError(`volumes of type ${typeOf(volume)} are not supported on this node`);
    this.directories.set(volume.name, directory);
  }

  private sources(pod: corev1.Pod): PayloadSources {
    const { objects } = this.options;
    const namespace = pod.metadata.namespace ?? '';
    return {
      facts: this.options.facts(),
      configMap: (name) => objects.get(corev1.configmaps, namespace, name),
      secret: (name) => objects.get(corev1.secrets, namespace, name),
      token: (projection) => this.tokens.tokenFor(pod, projection),
    };
  }

  private follow(pod: corev1.Pod): void {
    const namespace = pod.metadata.namespace ?? '';
    const changed = () => this.refresh();
    const { configMaps, secrets } = referencesOf(pod.spec?.volumes ?? []);
    for (const name of configMaps)
      this.unfollow.push(this.options.objects.follow(corev1.configmaps, namespace, name, changed));
    for (const name of secrets)
      this.unfollow.push(this.options.objects.follow(corev1.secrets, namespace, name, changed));
  }

  private scheduleRenewal(): void {
    const next = this.tokens.nextRenewalMs;
    if (this.renewal) this.renewal.callback = undefined;
    if (next === undefined || this.isStopped) return;
    const { clock } = this.options;
    this.renewal = sharedDelayHeap(clock).after(next - clock.now(), () => this.refresh());
  }
}

/** The ConfigMaps and Secrets that volumes are made of. */
export function referencesOf(volumes: readonly corev1.Volume[]): { configMaps: Set<string>; secrets: Set<string> } {
  const configMaps = new Set<string>();
  const secrets = new Set<string>();
  for (const { configMap, secret, projected } of volumes) {
    if (configMap?.name) configMaps.add(configMap.name);
    if (secret?.secretName) secrets.add(secret.secretName);
    for (const source of projected?.sources ?? []) {
      if (source.configMap?.name) configMaps.add(source.configMap.name);
      if (source.secret?.name) secrets.add(source.secret.name);
    }
  }
  return { configMaps, secrets };
}

function typeOf(volume: corev1.Volume): string {
  return Object.keys(volume).find((field) => field !== 'name') ?? 'unknown';
}
