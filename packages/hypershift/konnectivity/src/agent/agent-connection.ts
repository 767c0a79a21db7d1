import type { Duplex } from 'node:stream';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Metrics } from '../metrics.ts';
import { joinHostPort } from '../wire/address.ts';
import { decodePacket, encodePacket, type Packet } from '../wire/packet.ts';
import { PacketStream } from '../wire/packet-stream.ts';
import { channelOptions, connectPath, header } from '../wire/services.ts';
import { dialTarget, Endpoint } from './endpoint.ts';

/** PEM contents: the CA of the server, and the certificate shown to it. */
export interface ClientTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name the server's certificate must carry, when it is not the host that is dialed. */
  readonly serverName?: string;
}

export interface AgentConnectionOptions {
  readonly server: { readonly host: string; readonly port: number; readonly tls?: ClientTls };
  readonly agentID: string;
  readonly identifiers: string;
  readonly token?: string;
  readonly keepaliveMs: number;
  readonly connectTimeoutMs: number;
  readonly dialTimeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

const latencyBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30];

/** One agent's connection to one server. */
export class AgentConnection {
  readonly serverID: string;
  readonly serverCount: number;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  readonly #client: Client;
  readonly #call: Duplex;
  readonly #options: AgentConnectionOptions;
  readonly #stream: PacketStream;
  readonly #endpoints = new Map<number, Endpoint>();
  readonly #dials = new Map<bigint, AbortController>();
  #lastID = 0;

  private constructor(client: Client, call: Duplex, answer: Metadata, options: AgentConnectionOptions) {
    this.#client = client;
    this.#call = call;
    this.#options = options;
    this.serverID = String(answer.get(header.serverID)[0]);
    this.serverCount = Number(answer.get(header.serverCount)[0]) || 0;
    const { clock, stallTimeoutMs, metrics } = options;
    let over = () => {};
    this.closed = new Promise((resolve) => {
      over = resolve;
    });
    this.#stream = new PacketStream(
      call,
      {
        clock,
        stallTimeoutMs,
        onSent: (type) => metrics.count('stream_packets_total', `segment="from_agent",packet_type="${type}"`),
        onReceived: (type) => metrics.count('stream_packets_total', `segment="to_agent",packet_type="${type}"`),
      },
      {
        onPacket: (packet) => this.#receive(packet),
        onClose: () => {
          for (const dial of this.#dials.values()) dial.abort();
          for (const endpoint of this.#endpoints.values()) endpoint.abort();
          this.#client.close();
          over();
        },
      },
    );
  }

  /** Connects and waits for the server to say who it is. */
  static async open(options: AgentConnectionOptions): Promise<AgentConnection> {
    const { tls, host, port } = options.server;
    const client = new Client(joinHostPort(host, port), channelCredentials(tls), {
      ...channelOptions(options.keepaliveMs),
      ...(tls?.serverName ? { 'grpc.ssl_target_name_override': tls.serverName } : {}),
    });
    const metadata = new Metadata();
    metadata.set(header.agentID, options.agentID);
    metadata.set(header.agentIdentifiers, options.identifiers);
    if (options.token !== undefined) metadata.set(header.authorization, `Bearer ${options.token.trim()}`);
    const call = client.makeBidiStreamRequest(connectPath, encodePacket, decodePacket, metadata) as unknown as Duplex;
    try {
      return new AgentConnection(client, call, await answerOf(call, options), options);
    } catch (error) {
      call.on('error', () => {});
      (call as Duplex & { cancel(): void }).cancel();
      client.close();
      throw error;
    }
  }

  get openConnections(): number {
    return this.#endpoints.size;
  }

  /** Asks the server to prefer other agents for new connections. */
  drain(): void {
    this.#stream.send({ type: 'DRAIN' });
  }

  close(): void {
    (this.#call as Duplex & { cancel(): void }).cancel();
  }

  #receive(packet: Packet): void {
    switch (packet.type) {
      case 'DIAL_REQ':
        return void this.#dial(packet.protocol, packet.address, packet.random);
      case 'DIAL_CLS':
        return this.#dials.get(packet.random)?.abort();
      case 'DATA': {
        if (packet.connectID === 0) return;
        const endpoint = this.#endpoints.get(packet.connectID);
        if (endpoint) endpoint.receive(packet.data);
        else this.#unknown(packet.connectID, 'unrecognized connectID');
        return;
      }
      case 'CLOSE_REQ': {
        const endpoint = this.#endpoints.get(packet.connectID);
        if (endpoint) endpoint.closeRequested();
        else this.#unknown(packet.connectID, 'Unknown connectID');
        return;
      }
      default:
    }
  }

  #unknown(connectID: number, error: string): void {
    this.#stream.send({ type: 'CLOSE_RSP', error, connectID });
  }

  async #dial(protocol: string, address: string, random: bigint): Promise<void> {
    const { clock, metrics, dialTimeoutMs } = this.#options;
    const abort = new AbortController();
    this.#dials.set(random, abort);
    const startedAt = clock.now();
    try {
      if (protocol !== 'tcp') throw new Error(`dial ${protocol}: only tcp is carried`);
      const socket = await dialTarget(address, dialTimeoutMs, abort.signal);
      const connectID = ++this.#lastID;
      metrics.observe('dial_duration_seconds', latencyBuckets, (clock.now() - startedAt) / 1000);
      this.#stream.send({ type: 'DIAL_RSP', error: '', connectID, random });
      const endpoint = new Endpoint(this.#stream, connectID, socket, () => this.#endpoints.delete(connectID));
      this.#endpoints.set(connectID, endpoint);
      if (this.#stream.closed) endpoint.abort();
    } catch (error) {
      const { message } = error as Error;
      metrics.count('endpoint_dial_failure_total', `reason="${message.includes('timeout') ? 'timeout' : 'unknown'}"`);
      this.#stream.send({ type: 'DIAL_RSP', error: message, connectID: 0, random });
    } finally {
      this.#dials.delete(random);
    }
  }
}

function channelCredentials(tls: ClientTls | undefined) {
  if (!tls) return credentials.createInsecure();
  const pem = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(pem(tls.ca), pem(tls.key), pem(tls.cert));
}

function answerOf(call: Duplex, { clock, connectTimeoutMs }: AgentConnectionOptions): Promise<Metadata> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      cancelTimer();
      call.off('metadata', onMetadata);
      call.off('error', onError);
      settle();
    };
    const onError = (error: Error) => done(() => reject(error));
    const onMetadata = (metadata: Metadata) => {
      const complete = metadata.get(header.serverID).length === 1 && metadata.get(header.serverCount).length === 1;
      done(() => (complete ? resolve(metadata) : reject(new Error('the server did not say its id and count'))));
    };
    const cancelTimer = clock.after(connectTimeoutMs, () =>
      done(() => reject(new Error(`no answer from the server in ${connectTimeoutMs} ms`))),
    );
    call.once('metadata', onMetadata);
    call.once('error', onError);
  });
}
