import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type {
  ApplyObject,
  ApplyOptions,
  Client,
  ClusterConfig,
  DeleteOptions,
  ListOptions,
  NewObject,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@hypershift-ts/kube-client';

/** A client made from another that is chosen anew for every request. */
export abstract class ForwardingClient implements Client {
  onWarning?: (text: string) => void;

  /** The client for one request; throws when there is none now. */
  protected abstract target(): Promise<Client>;
  abstract close(): Promise<void>;

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: Parameters<Client['get']>[2]) {
    return (await this.target()).get(type, key, options);
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<ObjectList<T>> {
    return (await this.target()).list(type, options);
  }

  async *watch<T extends KubeObject>(type: ResourceType<T>, options?: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    yield* (await this.target()).watch(type, options);
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    return (await this.target()).create(type, object, options);
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    return (await this.target()).update(type, object, options);
  }

  async patch<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, patch: Patch, options?: WriteOptions) {
    return (await this.target()).patch(type, key, patch, options);
  }

  async apply<T extends KubeObject>(type: ResourceType<T>, object: ApplyObject, options: ApplyOptions): Promise<T> {
    return (await this.target()).apply(type, object, options);
  }

  async delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    return (await this.target()).delete(type, key, options);
  }

  async deleteCollection<T extends KubeObject>(
    type: ResourceType<T>,
    selection: Parameters<Client['deleteCollection']>[1],
    options?: DeleteOptions,
  ): Promise<void> {
    return (await this.target()).deleteCollection(type, selection, options);
  }

  async raw(method: string, path: string, options?: Parameters<Client['raw']>[2]): ReturnType<Client['raw']> {
    return (await this.target()).raw(method, path, options);
  }
}

/** A client that is made when it is first needed, and made again when its configuration is another one. */
export class RenewedClient extends ForwardingClient {
  private readonly config: () => Promise<ClusterConfig>;
  private readonly make: (config: ClusterConfig) => Client;
  private made: { readonly config: ClusterConfig; readonly client: Client } | undefined;
  private isClosed = false;

  constructor(config: () => Promise<ClusterConfig>, make: (config: ClusterConfig) => Client) {
    super();
    this.config = config;
    this.make = make;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.made?.client.close();
  }

  protected async target(): Promise<Client> {
    const config = await this.config();
    if (this.isClosed) throw new Error('the client was closed');
    if (this.made?.config === config) return this.made.client;
    const previous = this.made;
    this.made = { config, client: this.make(config) };
    await previous?.client.close();
    return this.made.client;
  }
}
