import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Metrics } from '../metrics.ts';
import { splitHostPort } from '../wire/address.ts';
import type { AgentIdentifiers } from '../wire/identifiers.ts';
import type { Packet } from '../wire/packet.ts';
import { PacketStream } from '../wire/packet-stream.ts';
import { TunnelConnection } from '../wire/tunnel-connection.ts';
import { type Backend, Backends, type ProxyStrategy } from './backends.ts';
import { DialError, type DialFailure } from './dial-error.ts';

export interface TunnelOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly strategies: readonly ProxyStrategy[];
  readonly metrics: Metrics;
  /** How long an agent may take to answer a dial; 0 waits for ever. */
  readonly dialTimeoutMs: number;
  readonly stallTimeoutMs: number;
  /** Open and pending connections in all; a dial beyond is refused. */
  readonly maxConnections: number;
}

interface PendingDial {
  readonly backend: Backend;
  readonly startedAt: number;
  succeed(connectID: number): void;
  fail(error: DialError): void;
}

const latencyBuckets = [0.000001, 0.00001, 0.0001, 0.005, 0.025, 0.1, 0.5, 2.5, 12.5];
const durationBuckets = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 14400, 43200, 86400];

/** The middle of the server: connected agents on one side, dials on the other, packets between them. */
export class Tunnel {
  readonly backends: Backends;
  readonly #options: TunnelOptions;
  readonly #pending = new Map<bigint, PendingDial>();
  #established = 0;

  constructor(options: TunnelOptions) {
    this.#options = options;
    this.backends = new Backends(options.strategies, options.random);
    const { metrics } = options;
    metrics.gauge('ready_backend_connections', () => ({ '': this.backends.size }));
    metrics.gauge('ready_backends', () => labelled('proxy_strategy', this.backends.counts()));
    metrics.gauge('pending_backend_dials', () => ({ '': this.#pending.size }));
    metrics.gauge('established_connections', () => ({ '': this.#established }));
  }

  get pendingDials(): number {
    return this.#pending.size;
  }

  get establishedConnections(): number {
    return this.#established;
  }

  /** Serves one agent until its stream ends. */
  attach(agentID: string, identifiers: AgentIdentifiers, call: Duplex): void {
    const { clock, stallTimeoutMs, metrics } = this.#options;
    const stream = new PacketStream(
      call,
      {
        clock,
        stallTimeoutMs,
        onSent: (type) => metrics.count('stream_packets_total', `segment="to_agent",packet_type="${type}"`),
        onReceived: (type) => metrics.count('stream_packets_total', `segment="from_agent",packet_type="${type}"`),
      },
      { onPacket: (packet) => this.#receive(backend, packet), onClose: () => this.#detach(backend) },
    );
    const backend: Backend = { agentID, identifiers, stream, connections: new Map(), draining: false };
    this.backends.add(backend);
  }

  /** Opens a connection to `host:port` as seen from an agent. */
  dial(address: string, signal?: AbortSignal): Promise<TunnelConnection> {
    const target = splitHostPort(address);
    if (!target) return Promise.reject(this.#failure('bad_address', `"${address}" is not host:port`));
    const backend = this.backends.pick(target.host);
    if (!backend)
      return Promise.reject(this.#failure('no_agent', 'currently no tunnels available: No agent available'));
    if (this.#established + this.#pending.size >= this.#options.maxConnections)
      return Promise.reject(this.#failure('too_many', `${this.#options.maxConnections} connections are open already`));
    return new Promise((resolve, reject) => this.#send(backend, address, signal, resolve, reject));
  }

  #send(
    backend: Backend,
    address: string,
    signal: AbortSignal | undefined,
    resolve: (connection: TunnelConnection) => void,
    reject: (error: DialError) => void,
  ): void {
    const { clock, dialTimeoutMs } = this.#options;
    const random = randomBytes(8).readBigInt64BE() & 0x7fffffffffffffffn;
    const settle = () => {
      this.#pending.delete(random);
      cancelTimer?.();
      signal?.removeEventListener('abort', abandoned);
    };
    const fail = (error: DialError) => {
      settle();
      reject(error);
    };
    const giveUp = (failure: DialFailure, message: string) => {
      backend.stream.send({ type: 'DIAL_CLS', random });
      fail(this.#failure(failure, message));
    };
    const abandoned = () => giveUp('frontend_close', 'the client went away before the dial was answered');
    const cancelTimer =
      dialTimeoutMs > 0
        ? clock.after(dialTimeoutMs, () => giveUp('backend_dial_timeout', 'timed out waiting for backend dial'))
        : undefined;
    signal?.addEventListener('abort', abandoned, { once: true });
    this.#pending.set(random, {
      backend,
      startedAt: clock.now(),
      fail,
      succeed: (connectID) => {
        settle();
        resolve(this.#establish(backend, connectID));
      },
    });
    backend.stream.send({ type: 'DIAL_REQ', protocol: 'tcp', address, random });
    if (signal?.aborted) abandoned();
  }

  #establish(backend: Backend, connectID: number): TunnelConnection {
    const { clock, metrics } = this.#options;
    const since = clock.now();
    const connection = new TunnelConnection(backend.stream, connectID, () => {
      if (backend.connections.get(connectID) !== connection) return;
      backend.connections.delete(connectID);
      this.#established--;
      metrics.observe('connection_duration_seconds', durationBuckets, (clock.now() - since) / 1000);
    });
    backend.connections.set(connectID, connection);
    this.#established++;
    return connection;
  }

  #receive(backend: Backend, packet: Packet): void {
    switch (packet.type) {
      case 'DIAL_RSP':
        return this.#dialAnswered(backend, packet);
      case 'DIAL_CLS':
        return this.#pendingOf(backend, packet.random)?.fail(
          this.#failure('backend_close', 'the agent gave up the dial'),
        );
      case 'DATA': {
        if (packet.connectID === 0) return;
        const connection = backend.connections.get(packet.connectID);
        if (connection) connection.receive(packet.data);
        else backend.stream.send({ type: 'CLOSE_REQ', connectID: packet.connectID });
        return;
      }
      case 'CLOSE_RSP':
        return backend.connections.get(packet.connectID)?.closedByPeer();
      case 'DRAIN':
        backend.draining = true;
        return;
      default:
    }
  }

  #dialAnswered(backend: Backend, packet: Extract<Packet, { type: 'DIAL_RSP' }>): void {
    const pending = this.#pendingOf(backend, packet.random);
    if (!pending) {
      this.#countFailure('unrecognized_response');
      if (packet.connectID !== 0) backend.stream.send({ type: 'CLOSE_REQ', connectID: packet.connectID });
      return;
    }
    if (packet.error !== '') return pending.fail(this.#failure('error_response', packet.error));
    if (packet.connectID === 0 || backend.connections.has(packet.connectID))
      return pending.fail(this.#failure('error_response', `the agent answered with connection ${packet.connectID}`));
    const { clock, metrics } = this.#options;
    metrics.observe('dial_duration_seconds', latencyBuckets, (clock.now() - pending.startedAt) / 1000);
    pending.succeed(packet.connectID);
  }

  /** An agent answers only its own dials. */
  #pendingOf(backend: Backend, random: bigint): PendingDial | undefined {
    const pending = this.#pending.get(random);
    return pending?.backend === backend ? pending : undefined;
  }

  #detach(backend: Backend): void {
    this.backends.remove(backend);
    for (const pending of this.#pending.values())
      if (pending.backend === backend)
        pending.fail(this.#failure('backend_close', 'the agent went away before it answered the dial'));
    const error = Object.assign(new Error(`konnectivity: the tunnel to agent ${backend.agentID} broke`), {
      code: 'ECONNRESET',
    });
    for (const connection of backend.connections.values()) connection.broken(error);
  }

  #failure(failure: DialFailure, message: string): DialError {
    this.#countFailure(failure);
    return new DialError(failure, message);
  }

  #countFailure(reason: string): void {
    this.#options.metrics.count('dial_failure_count', `reason="${reason}"`);
  }
}

function labelled(label: string, values: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${label}="${name}"`, value]));
}
