import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Metrics } from '../metrics.ts';
import type { Packet } from '../wire/packet.ts';
import { PacketStream } from '../wire/packet-stream.ts';
import type { AgentCall } from './agent-call.ts';
import { dialTarget, Endpoint } from './endpoint.ts';

export interface AgentConnectionOptions {
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
  readonly #call: AgentCall;
  readonly #options: AgentConnectionOptions;
  readonly #stream: PacketStream;
  readonly #endpoints = new Map<number, Endpoint>();
  readonly #dials = new Map<bigint, AbortController>();
  #lastID = 0;

  constructor(call: AgentCall, options: AgentConnectionOptions) {
    this.#call = call;
    this.#options = options;
    this.serverID = call.serverID;
    this.serverCount = call.serverCount;
    const { clock, stallTimeoutMs, metrics } = options;
    let over = () => {};
    this.closed = new Promise((resolve) => {
      over = resolve;
    });
    this.#stream = new PacketStream(
      call.stream,
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
          this.#call.release();
          over();
        },
      },
    );
  }

  get openConnections(): number {
    return this.#endpoints.size;
  }

  /** Asks the server to prefer other agents for new connections. */
  drain(): void {
    this.#stream.send({ type: 'DRAIN' });
  }

  close(): void {
    this.#call.cancel();
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
