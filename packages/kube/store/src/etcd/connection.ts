import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
  status,
  type VerifyOptions,
} from '@grpc/grpc-js';
import { type Clock, delay } from '@hypershift-ts/kube-apimachinery';
import { StoreUnavailableError } from '../store.ts';
import { codecOf } from './proto.ts';

/** Client certificate, its key and the CA that signed the servers, PEM. */
export interface EtcdTls {
  readonly ca: string | Buffer;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** The name certificates must carry when the endpoints are addresses that stand for it. */
  readonly serverName?: string;
}

export interface ConnectionOptions {
  /** As in --etcd-servers: https://host:port, several for failover. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls;
  readonly clock: Clock;
  /** How long one request may take in all. */
  readonly timeoutMs: number;
}

/** How long a server may take to answer a question about itself. */
const askMs = 2_000;

const channelOptions = {
  // Ranges answer with as much as was asked for.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Finds dead peers; servers take a ping every five seconds for abuse.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 5_000,
  'grpc.use_local_subchannel_pool': 1,
};

interface Endpoint {
  readonly url: string;
  readonly client: Client;
}

/** The servers of one etcd cluster; requests go to one that is connected, and move on when it fails. */
export class EtcdConnection {
  readonly #options: ConnectionOptions;
  readonly #endpoints: readonly Endpoint[];
  #preferred = 0;
  #closed = false;

  constructor(options: ConnectionOptions) {
    if (options.endpoints.length === 0) throw new Error('etcd: at least one endpoint is needed');
    this.#options = options;
    this.#endpoints = options.endpoints.map((url) => ({ url, client: clientFor(url, options.tls) }));
  }

  get closed(): boolean {
    return this.#closed;
  }

  get urls(): readonly string[] {
    return this.#endpoints.map((endpoint) => endpoint.url);
  }

  /** A read: tried again elsewhere when a server fails, until the time is over. */
  async read<T>(service: Parameters<typeof codecOf>[0], method: string, request: object): Promise<T> {
    const end = this.#options.clock.now() + this.#options.timeoutMs;
    for (;;) {
      const endpoint = await this.#ready(end);
      try {
        return await unary<T>(endpoint.client, service, method, request, end);
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.#avoid(endpoint);
        if (this.#closed || this.#options.clock.now() + 100 >= end) throw this.#unavailable(endpoint, error);
        await delay(this.#options.clock, 50);
      }
    }
  }

  /** A write: sent at most once, since a failed one may have happened. */
  async write<T>(service: Parameters<typeof codecOf>[0], method: string, request: object): Promise<T> {
    const end = this.#options.clock.now() + this.#options.timeoutMs;
    const endpoint = await this.#ready(end);
    try {
      return await unary<T>(endpoint.client, service, method, request, end);
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.#avoid(endpoint);
      throw this.#unavailable(endpoint, error);
    }
  }

  /** One request to one server, for questions about the server itself. */
  ask<T>(url: string, service: Parameters<typeof codecOf>[0], method: string): Promise<T> {
    const endpoint = this.#endpoints.find((candidate) => candidate.url === url);
    if (!endpoint) throw new Error(`etcd: ${url} is not one of the endpoints`);
    return unary<T>(endpoint.client, service, method, {}, this.#options.clock.now() + askMs);
  }

  /** A stream of answers; the caller deals with its end. */
  async download(): Promise<ClientReadableStream<unknown>> {
    const { path, requestSerialize, responseDeserialize } = codecOf('Maintenance', 'Snapshot');
    const { client } = await this.#ready(this.#options.clock.now() + this.#options.timeoutMs);
    return client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, {});
  }

  async watchStream(): Promise<{ stream: ClientDuplexStream<unknown, unknown>; failed: () => void }> {
    const { path, requestSerialize, responseDeserialize } = codecOf('Watch', 'Watch');
    const endpoint = await this.#ready(this.#options.clock.now() + this.#options.timeoutMs);
    // The server then ends the stream when its cluster has no leader, instead of leaving us waiting in a minority.
    const metadata = new Metadata();
    metadata.set('hasleader', 'true');
    const stream = endpoint.client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    return { stream, failed: () => this.#avoid(endpoint) };
  }

  close(): void {
    this.#closed = true;
    for (const { client } of this.#endpoints) client.close();
  }

  /** A connected server: the preferred one, or whichever of the others is there first. */
  async #ready(end: number): Promise<Endpoint> {
    if (this.#closed) throw new StoreUnavailableError('the store was closed');
    const inTurn = [...this.#endpoints.slice(this.#preferred), ...this.#endpoints.slice(0, this.#preferred)];
    const endpoint =
      inTurn.find(({ client }) => client.getChannel().getConnectivityState(true) === connectivityState.READY) ??
      (await Promise.any(inTurn.map((candidate) => connected(candidate, end))).catch(() => undefined));
    if (!endpoint) throw await this.#noConnection();
    this.#preferred = this.#endpoints.indexOf(endpoint);
    return endpoint;
  }

  async #noConnection(): Promise<StoreUnavailableError> {
    if (this.#closed) return new StoreUnavailableError('the store was closed');
    const { url } = this.#endpoints[0] as Endpoint;
    // Waiting for a connection does not tell why there is none; a request does.
    const cause: unknown = await this.ask(url, 'Maintenance', 'Status').catch((error: unknown) => error);
    const detail = (cause as Partial<ServiceError> | undefined)?.details ?? 'it answers again';
    return new StoreUnavailableError(`no etcd server accepts connections: ${this.urls.join(', ')} (${detail})`, {
      cause,
    });
  }

  #avoid(endpoint: Endpoint): void {
    const at = this.#endpoints.indexOf(endpoint);
    if (at === this.#preferred) this.#preferred = (at + 1) % this.#endpoints.length;
  }

  #unavailable(endpoint: Endpoint, cause: unknown): StoreUnavailableError {
    if (this.#closed) return new StoreUnavailableError('the store was closed', { cause });
    const { code, details } = cause as ServiceError;
    const hint =
      code === status.DEADLINE_EXCEEDED
        ? `no answer in ${this.#options.timeoutMs} ms, the cluster may have lost its quorum`
        : details;
    return new StoreUnavailableError(`etcd ${endpoint.url}: ${hint}`, { cause });
  }
}

function clientFor(url: string, tls: EtcdTls | undefined): Client {
  const { protocol, host, hostname, port } = new URL(url);
  const address = port === '' ? `${hostname}:2379` : host;
  if (protocol === 'http:') return new Client(address, credentials.createInsecure(), channelOptions);
  const ip = hostname.replace(/^\[|\]$/g, '');
  if (isIP(ip) === 0) return new Client(address, credentialsFor(tls, {}), channelOptions);
  // TLS names servers by DNS name only, and Node.js warns when an address is sent; so some name is sent instead, and
  // the certificate is held against the address.
  const name = tls?.serverName ?? ip;
  const identity = { checkServerIdentity: (_name: string, cert: PeerCertificate) => checkServerIdentity(name, cert) };
  return new Client(address, credentialsFor(tls, identity), {
    ...channelOptions,
    'grpc.ssl_target_name_override': tls?.serverName ?? 'etcd',
    'grpc.default_authority': address,
  });
}

function credentialsFor(tls: EtcdTls | undefined, options: VerifyOptions): ChannelCredentials {
  if (!tls) return credentials.createSsl(null, null, null, options);
  return credentials.createSsl(Buffer.from(tls.ca), Buffer.from(tls.key), Buffer.from(tls.cert), options);
}

function connected(endpoint: Endpoint, deadline: number): Promise<Endpoint> {
  return new Promise((resolve, reject) => {
    endpoint.client.waitForReady(deadline, (error) => (error ? reject(error) : resolve(endpoint)));
  });
}

function unary<T>(
  client: Client,
  service: Parameters<typeof codecOf>[0],
  method: string,
  request: object,
  deadline: number,
): Promise<T> {
  const { path, requestSerialize, responseDeserialize } = codecOf(service, method);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, { deadline }, (error, response) => {
      if (error) reject(error);
      else resolve(response as T);
    });
  });
}

const transientCodes: readonly number[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
  status.UNKNOWN,
  status.RESOURCE_EXHAUSTED,
  status.ABORTED,
];

/** Whether the failure is the server's or the network's, not the request's. */
function isTransient(error: unknown): boolean {
  return transientCodes.includes((error as Partial<ServiceError>).code ?? -1);
}
