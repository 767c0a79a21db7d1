import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { type Clock, delay, systemClock } from '@hypershift-ts/kube-apimachinery';
import { Metrics } from '../metrics.ts';
import { portOf, serveStatus, statusAnswer } from '../status-server.ts';
import type { ProxyServer } from '../server/proxy-server.ts';
import { type AgentCall, callServer, type ClientTls } from './agent-call.ts';
import { AgentConnection } from './agent-connection.ts';
import { reconnectDelays } from './reconnect-delays.ts';

export interface ProxyAgentOptions {
  /** The address of the server, or of what balances several; the certificate is shown to each. */
  readonly server: { readonly host: string; readonly port: number; readonly tls?: ClientTls };
  /**
   * The servers of this process that the address leads to, which are connected to without sockets; may be none. Rejects
   * when that cannot be told now.
   */
  readonly nearby?: () => Promise<readonly ProxyServer[]>;
  /** Calls back when a server of this process came, so that nobody waits for the clock; answers how to end that. */
  readonly whenNearby?: (wake: () => void) => () => void;
  readonly agentID?: string;
  /** URL-encoded, e.g. `ipv4=10.0.0.1&default-route=true`. */
  readonly identifiers?: string;
  /** Read for every connection, since tokens rotate. */
  readonly token?: () => Promise<string>;
  /** Between attempts, at first and at most; upstream's 1 s and 10 s. */
  readonly syncIntervalMs?: number;
  readonly syncIntervalCapMs?: number;
  /** Keep looking for more servers after all that were announced are connected. */
  readonly syncForever?: boolean;
  readonly keepaliveMs?: number;
  readonly dialTimeoutMs?: number;
  readonly stallTimeoutMs?: number;
  readonly health?: { readonly host: string; readonly port: number };
  readonly admin?: { readonly host: string; readonly port: number };
  /** Told about every failed attempt. */
  readonly onError?: (error: Error) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** A running konnectivity agent. */
export interface ProxyAgent {
  readonly agentID: string;
  readonly ports: { readonly health: number; readonly admin: number };
  /** Ids of the servers it is connected to. */
  servers(): readonly string[];
  openConnections(): number;
  metrics(): string;
  /** The status that the health port gives to a GET, for probers of the same process. */
  probe(path: string): number;
  /** No new connections here if another agent can take them; those that exist go on. */
  drain(): void;
  close(): Promise<void>;
}

/** Starts an agent; it keeps itself connected to every server until it is closed. */
export async function startProxyAgent(options: ProxyAgentOptions): Promise<ProxyAgent> {
  const agent = new ServerSet(options);
  const probed = {
    notReady: () => (agent.connections.size > 0 ? undefined : 'Not connected to any proxy server'),
  };
  let health: Server | undefined;
  let admin: Server | undefined;
  const closePorts = () => {
    for (const server of [health, admin]) {
      server?.close();
      server?.closeAllConnections();
    }
  };
  try {
    if (options.health) health = await serveStatus(options.health.host, options.health.port, probed);
    if (options.admin)
      admin = await serveStatus(options.admin.host, options.admin.port, { metrics: () => agent.metrics.text() });
  } catch (error) {
    closePorts();
    throw error;
  }
  const running = agent.run();
  return {
    agentID: agent.agentID,
    ports: { health: portOf(health), admin: portOf(admin) },
    servers: () => [...agent.connections.keys()],
    openConnections: () => agent.openConnections,
    metrics: () => agent.metrics.text(),
    probe: (path) => statusAnswer(path, probed).status,
    drain: () => agent.drain(),
    async close() {
      agent.stop();
      closePorts();
      await running;
    },
  };
}

const firstAfterArrivalMs = 100;

/** Which servers the agent is connected to, and the loop that looks for the missing ones. */
class ServerSet {
  readonly agentID: string;
  readonly metrics = new Metrics('agent');
  readonly connections = new Map<string, AgentConnection>();
  readonly #options: ProxyAgentOptions;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  #draining = false;
  #serverCount = 0;
  #soonMs = Number.POSITIVE_INFINITY;
  #lost: (() => void) | undefined;

  constructor(options: ProxyAgentOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.agentID = options.agentID ?? randomUUID();
    this.metrics.gauge('open_server_connections', () => ({ '': this.connections.size }));
    this.metrics.gauge('known_server_count', () => ({ '': this.#serverCount }));
    this.metrics.gauge('open_endpoint_connections', () => ({ '': this.openConnections }));
  }

  get openConnections(): number {
    let open = 0;
    for (const connection of this.connections.values()) open += connection.openConnections;
    return open;
  }

  async run(): Promise<void> {
    const { signal } = this.#stopped;
    const delays = reconnectDelays({
      firstMs: this.#options.syncIntervalMs ?? 1_000,
      capMs: this.#options.syncIntervalCapMs ?? 10_000,
      random: this.#options.random ?? Math.random,
    });
    while (!signal.aborted) {
      const complete = this.#serverCount > 0 && this.connections.size >= this.#serverCount;
      // Nothing to look for: wait for a loss instead of the clock.
      if (this.#draining || (complete && !this.#options.syncForever)) await this.#loss();
      else await this.#pause((await this.#connectOnce()) ? delays.afterSuccess() : this.#soon(delays.afterFailure()));
    }
  }

  stop(): void {
    this.#stopped.abort();
    for (const connection of this.connections.values()) connection.close();
    this.#lost?.();
  }

  drain(): void {
    this.#draining = true;
    for (const connection of this.connections.values()) connection.drain();
  }

  /** Shorter waits at first after a server came: its address leads to it a moment later. */
  #soon(ms: number): number {
    const soonMs = Math.min(this.#soonMs, ms);
    this.#soonMs *= 2;
    return soonMs;
  }

  /** Until the next attempt, or until there is somebody to connect to. */
  async #pause(ms: number): Promise<void> {
    const over = new AbortController();
    const end = () => over.abort();
    const arrived = () => {
      this.#soonMs = firstAfterArrivalMs;
      end();
    };
    const { signal } = this.#stopped;
    signal.addEventListener('abort', end, { once: true });
    const leave = this.#options.whenNearby?.(arrived);
    await delay(this.#clock, ms, signal.aborted ? signal : over.signal);
    leave?.();
    signal.removeEventListener('abort', end);
  }

  #loss(): Promise<void> {
    return new Promise((resolve) => {
      this.#lost = resolve;
    });
  }

  /** Behind one address each attempt may reach another server; one reached before is no failure. */
  async #connectOnce(): Promise<boolean> {
    const { onError, dialTimeoutMs, stallTimeoutMs } = this.#options;
    try {
      const connection = new AgentConnection(await this.#call(), {
        dialTimeoutMs: dialTimeoutMs ?? 5_000,
        stallTimeoutMs: stallTimeoutMs ?? 30_000,
        clock: this.#clock,
        metrics: this.metrics,
      });
      this.#serverCount = connection.serverCount;
      if (this.#stopped.signal.aborted || this.connections.has(connection.serverID)) connection.close();
      else this.#keep(connection);
      return true;
    } catch (error) {
      this.metrics.count('server_connection_failure_count', 'direction="to_server"');
      onError?.(error as Error);
      return false;
    }
  }

  async #call(): Promise<AgentCall> {
    const { server, nearby, identifiers, token, keepaliveMs } = this.#options;
    const introduction = {
      agentID: this.agentID,
      identifiers: identifiers ?? '',
      ...(token ? { token: await token() } : {}),
    };
    const near = (await nearby?.()) ?? [];
    const missing = near.find(({ serverID }) => !this.connections.has(serverID)) ?? near[0];
    if (missing) return missing.connectAgent(introduction);
    return callServer(introduction, {
      server,
      keepaliveMs: keepaliveMs ?? 3_600_000,
      connectTimeoutMs: 20_000,
      clock: this.#clock,
    });
  }

  #keep(connection: AgentConnection): void {
    this.connections.set(connection.serverID, connection);
    if (this.#draining) connection.drain();
    void connection.closed.then(() => {
      this.connections.delete(connection.serverID);
      this.#lost?.();
    });
  }
}
