import type { Clock, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { UserInfo } from '@hypershift-ts/kube-apiserver';
import {
  type ApplyObject,
  type ApplyOptions,
  type Client,
  type ClusterConfig,
  type DeleteOptions,
  HttpClient,
  type ListOptions,
  type NewObject,
  type ObjectList,
  type Patch,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '@hypershift-ts/kube-client';
import type { LocalApiServer, ProcessDirectory } from '../directory.ts';
import { type LocalAccess, localAccess } from './local-server.ts';

/** After finding that a server is not of this process, it is not asked again for this long. */
const remoteForMs = 30_000;

/** The way to one cluster that several clients share: found once, found again when the server goes away. */
export class NearestServer {
  private readonly directory: ProcessDirectory;
  private readonly clock: Clock;
  /** Read again for every look: Services move, files are renewed. */
  private readonly config: () => Promise<ClusterConfig>;
  private readonly presented: ((config: ClusterConfig) => Promise<string>) | undefined;
  private access: LocalAccess | undefined;
  private looking: Promise<LocalAccess | undefined> | undefined;
  private remoteUntil = 0;
  private arrivalsSeen = -1;

  constructor(options: {
    readonly config: () => Promise<ClusterConfig>;
    readonly directory: ProcessDirectory;
    readonly clock: Clock;
    /** The certificate an address presents, for callers who look at one address many times; see presentedBy(). */
    readonly presented?: (config: ClusterConfig) => Promise<string>;
  }) {
    this.config = options.config;
    this.presented = options.presented;
    this.directory = options.directory;
    this.clock = options.clock;
  }

  /** Access inside the process, or undefined when HTTPS is the way. Never rejects. */
  async local(): Promise<LocalAccess | undefined> {
    const { access } = this;
    const now = this.clock.now();
    if (access && isCurrent(access, now)) return access;
    if (now < this.remoteUntil && this.arrivalsSeen === this.directory.arrivals) return undefined;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** The kubeconfig as it is now. */
  clusterConfig(): Promise<ClusterConfig> {
    return this.config();
  }

  private async look(): Promise<LocalAccess | undefined> {
    // Before looking: a server that comes meanwhile is worth another look.
    const { arrivals } = this.directory;
    try {
      this.access = await localAccess(await this.config(), this.directory, this.clock.now(), this.presented);
      if (!this.access) {
        this.remoteUntil = this.clock.now() + remoteForMs;
        this.arrivalsSeen = arrivals;
      }
    } catch {
      // Nobody answers there now; HTTPS will tell the caller so.
      this.access = undefined;
    }
    return this.access;
  }
}

function isCurrent({ entry, clientCa, notAfter }: LocalAccess, now: number): boolean {
  return !entry.closed.aborted && entry.clientCa === clientCa && now <= notAfter;
}

export interface NearestClientOptions {
  readonly server: NearestServer;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Somebody the holder of the kubeconfig may act for: inside the process by name, over HTTPS by other credentials. */
  readonly actingAs?: {
    readonly user: UserInfo;
    readonly config: (own: ClusterConfig) => Promise<ClusterConfig>;
  };
}

/** A Client that calls straight into a server of this process when the kubeconfig leads to one, and HTTPS otherwise. */
export class NearestClient implements Client {
  onWarning?: (text: string) => void;
  private readonly options: NearestClientOptions;
  private near: { readonly entry: LocalApiServer; readonly client: Client } | undefined;
  private far: { readonly client: Client; readonly config: string } | undefined;
  private closed = false;

  constructor(options: NearestClientOptions) {
    this.options = options;
  }

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: Parameters<Client['get']>[2]) {
    return (await this.client()).get(type, key, options);
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>> {
    return (await this.client()).list(type, options);
  }

  async *watch<T extends KubeObject>(type: ResourceType<T>, options?: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    yield* (await this.client()).watch(type, options);
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    return (await this.client()).create(type, object, options);
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    return (await this.client()).update(type, object, options);
  }

  async patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, patch: Patch, options?: WriteOptions) {
    return (await this.client()).patch(type, key, patch, options);
  }

  async apply<T extends KubeObject>(type: ResourceType<T>, object: ApplyObject, options: ApplyOptions): Promise<T> {
    return (await this.client()).apply(type, object, options);
  }

  async delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return (await this.client()).delete(type, key, options);
  }

  async deleteCollection<T extends KubeObject>(
    type: ResourceType<T>,
    selection: Parameters<Client['deleteCollection']>[1],
    options?: DeleteOptions,
  ): Promise<void> {
    return (await this.client()).deleteCollection(type, selection, options);
  }

  async raw(method: string, path: string, options?: Parameters<Client['raw']>[2]): ReturnType<Client['raw']> {
    return (await this.client()).raw(method, path, options);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.far?.client.close();
  }

  private async client(): Promise<Client> {
    if (this.closed) throw new Error('the client was closed');
    const { server, userAgent, actingAs } = this.options;
    const access = await server.local();
    if (!access) return this.remote();
    if (this.near?.entry !== access.entry) {
      const client = access.entry.server.client(actingAs?.user ?? access.user, userAgent);
      client.onWarning = (text) => this.onWarning?.(text);
      this.near = { entry: access.entry, client };
    }
    return this.near.client;
  }

  private async remote(): Promise<Client> {
    const { server, userAgent, actingAs, clock } = this.options;
    const own = await server.clusterConfig();
    const config = actingAs ? await actingAs.config(own) : own;
    const text = JSON.stringify(config);
    if (this.far?.config !== text) {
      const previous = this.far;
      const client = new HttpClient(config, { clock, userAgent });
      client.onWarning = (warning) => this.onWarning?.(warning);
      this.far = { client, config: text };
      await previous?.client.close();
    }
    return this.far.client;
  }
}
