import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as GrpcServer } from '@grpc/grpc-js';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { AgentCall, AgentIntroduction } from '../agent/agent-call.ts';
import type { Dialer } from '../dialer/konnectivity-dialer.ts';
import { Metrics } from '../metrics.ts';
import { listening, portOf, serveStatus, statusAnswer } from '../status-server.ts';
import { joinHostPort } from '../wire/address.ts';
import { channelOptions, implementation, proxyService } from '../wire/services.ts';
import { agentPort, bindGrpc } from './agent-port.ts';
import { serveGrpcFront } from './grpc-front.ts';
import { httpConnectFront } from './http-front.ts';
import type { ProxyServerOptions } from './proxy-server-options.ts';
import { Tunnel } from './tunnel.ts';

/** A running konnectivity server. */
export interface ProxyServer {
  readonly serverID: string;
  /** The ports in use; 0 for those it has not. */
  readonly ports: { readonly front: number; readonly agents: number; readonly health: number; readonly admin: number };
  /** Connected agents, by id. */
  agents(): readonly string[];
  /** For an API server in the same process: the tunnel without the front. */
  readonly dial: Dialer;
  /** For an agent in the same process: a connection without sockets. Who it is has to be proven before. */
  connectAgent(introduction: AgentIntroduction): Promise<AgentCall>;
  metrics(): string;
  /** The status that the health port gives to a GET, for probers of the same process. */
  probe(path: string): number;
  /** What agents that connect from now on are told. */
  setServerCount(count: number): void;
  close(): Promise<void>;
}

const hour = 3_600_000;

/** Starts the server on all its ports, or on none when one of them cannot be had. */
export async function startProxyServer(options: ProxyServerOptions): Promise<ProxyServer> {
  const clock = options.clock ?? systemClock;
  const metrics = new Metrics('server');
  const serverID = options.serverID ?? randomUUID();
  const stallTimeoutMs = options.stallTimeoutMs ?? 30_000;
  const maxConnections = options.maxConnections ?? 10_000;
  let serverCount = options.serverCount ?? 1;
  const tunnel = new Tunnel({
    clock,
    metrics,
    stallTimeoutMs,
    maxConnections,
    random: options.random ?? Math.random,
    strategies: options.strategies ?? ['default'],
    dialTimeoutMs: options.dialTimeoutMs ?? 30_000,
  });
  const agents = agentPort(tunnel, {
    serverID,
    serverCount: () => serverCount,
    maxAgents: options.maxAgents ?? 5_000,
    keepaliveMs: options.keepaliveMs ?? hour,
    ...(options.authenticateAgent ? { authenticateAgent: options.authenticateAgent } : {}),
  });
  const grpcFront = () => {
    const server = new GrpcServer(channelOptions(options.frontKeepaliveMs ?? hour));
    const Proxy = (call: Duplex) => serveGrpcFront(tunnel, call, { clock, stallTimeoutMs });
    server.addService(proxyService, implementation({ Proxy }));
    return server;
  };
  const { front } = options;
  const frontTls = 'tls' in front ? front.tls : undefined;
  const http = options.mode === 'grpc' ? undefined : httpConnectFront(tunnel, frontTls, maxConnections);
  const grpc = http ? undefined : grpcFront();
  const sockets = trackSockets(http);
  const probed = { notReady: () => (tunnel.backends.ready ? undefined : 'There is no proxy agent connected') };
  let health: HttpServer | undefined;
  let admin: HttpServer | undefined;

  const close = async () => {
    http?.close();
    health?.close();
    admin?.close();
    health?.closeAllConnections();
    admin?.closeAllConnections();
    for (const socket of sockets) socket.destroy();
    grpc?.forceShutdown();
    agents.close();
    if ('path' in front) await rm(front.path, { force: true });
  };

  try {
    if ('path' in front) await rm(front.path, { force: true });
    const agentsPort = await bindGrpc(agents.server, options.agents, options.agents.tls);
    const grpcPort = grpc ? await bindGrpc(grpc, front, frontTls) : 0;
    if (http) await listening(http, 'path' in front ? { path: front.path } : { host: front.host, port: front.port });
    if (options.health) health = await serveStatus(options.health.host, options.health.port, probed);
    if (options.admin)
      admin = await serveStatus(options.admin.host, options.admin.port, { metrics: () => metrics.text() });
    const ports = {
      front: 'path' in front ? 0 : grpcPort || portOf(http),
      agents: agentsPort,
      health: portOf(health),
      admin: portOf(admin),
    };
    return {
      serverID,
      ports,
      agents: () => [...tunnel.backends].map((backend) => backend.agentID),
      dial: (host, port, signal) => tunnel.dial(joinHostPort(host, port), signal),
      connectAgent: (introduction) => agents.connectAgent(introduction),
      metrics: () => metrics.text(),
      probe: (path) => statusAnswer(path, probed).status,
      setServerCount: (count) => {
        serverCount = count;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sockets of CONNECT leave the HTTP server's care, so closing needs its own list. */
function trackSockets(server: HttpServer | undefined): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server?.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setKeepAlive(true, 15_000);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}
