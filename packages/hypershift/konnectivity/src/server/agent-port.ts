import type { Duplex } from 'node:stream';
import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { AgentCall, AgentIntroduction } from '../agent/agent-call.ts';
import { packetPair } from '../local/packet-pair.ts';
import { joinHostPort } from '../wire/address.ts';
import { parseAgentIdentifiers } from '../wire/identifiers.ts';
import { agentService, channelOptions, header, implementation, type PacketCall } from '../wire/services.ts';
import type { ServerTls } from './proxy-server-options.ts';
import type { Tunnel } from './tunnel.ts';

export interface AgentPortOptions {
  readonly serverID: string;
  readonly serverCount: () => number;
  readonly maxAgents: number;
  readonly keepaliveMs: number;
  readonly authenticateAgent?: (token: string) => Promise<void>;
}

export interface AgentPort {
  /** The gRPC server that agents connect to. Not listening yet. */
  readonly server: Server;
  /** Lets an agent of this process in, which needs no gRPC; rejects with the reason when it may not. */
  connectAgent(introduction: AgentIntroduction): Promise<AgentCall>;
  close(): void;
}

export function agentPort(tunnel: Tunnel, options: AgentPortOptions): AgentPort {
  const server = new Server(channelOptions(options.keepaliveMs));
  server.addService(agentService, implementation({ Connect: (call) => void connect(tunnel, options, call) }));
  const local = new Set<Duplex>();
  let isClosed = false;
  return {
    server,
    async connectAgent({ agentID, identifiers, token }) {
      const refusal = await refusalOf(tunnel, options, { agentIDs: [agentID], identifiers: [identifiers], token });
      if (refusal) throw new Error(`konnectivity server ${options.serverID}: ${refusal.details}`);
      if (isClosed) throw new Error(`konnectivity server ${options.serverID} has stopped`);
      const [stream, ours] = packetPair();
      local.add(ours);
      ours.once('close', () => local.delete(ours));
      serve(tunnel, agentID, identifiers, ours);
      const cancel = () => void stream.destroy();
      const serverCount = options.serverCount();
      return { serverID: options.serverID, serverCount, stream, release: cancel, cancel };
    },
    close() {
      isClosed = true;
      for (const stream of local) stream.destroy();
      server.forceShutdown();
    },
  };
}

function serve(tunnel: Tunnel, agentID: string, identifiers: string, stream: Duplex): void {
  tunnel.attach(agentID, parseAgentIdentifiers(identifiers), stream);
  // The agent ended its side: so do we.
  stream.on('end', () => stream.end());
}

async function connect(tunnel: Tunnel, options: AgentPortOptions, call: PacketCall): Promise<void> {
  // Nothing is read before the agent is let in, and an agent that leaves meanwhile is no error.
  call.on('error', () => {});
  const agentIDs = call.metadata.get(header.agentID).map(String);
  const identifiers = call.metadata.get(header.agentIdentifiers).map(String);
  const [authorization = ''] = call.metadata.get(header.authorization);
  const token = /^Bearer (.+)$/.exec(String(authorization))?.[1];
  const refusal = await refusalOf(tunnel, options, { agentIDs, identifiers, token });
  if (call.cancelled) return;
  if (refusal) return void call.emit('error', refusal);
  const answer = new Metadata();
  answer.set(header.serverID, options.serverID);
  answer.set(header.serverCount, String(options.serverCount()));
  call.sendMetadata(answer);
  serve(tunnel, agentIDs[0] ?? '', identifiers[0] ?? '', call);
}

interface Introduced {
  readonly agentIDs: readonly string[];
  readonly identifiers: readonly string[];
  readonly token: string | undefined;
}

async function refusalOf(tunnel: Tunnel, options: AgentPortOptions, { agentIDs, identifiers, token }: Introduced) {
  if (agentIDs.length !== 1)
    return { code: status.INVALID_ARGUMENT, details: `expected one agent ID in the context, got ${agentIDs.length}` };
  if (identifiers.length > 1)
    return { code: status.INVALID_ARGUMENT, details: 'expected at most one set of agent identifiers' };
  if (tunnel.backends.size >= options.maxAgents)
    return { code: status.RESOURCE_EXHAUSTED, details: `${options.maxAgents} agents are connected already` };
  if (!options.authenticateAgent) return undefined;
  const shown = token?.trim();
  if (!shown) return { code: status.UNAUTHENTICATED, details: 'the agent sent no bearer token' };
  try {
    await options.authenticateAgent(shown);
    return undefined;
  } catch (error) {
    return { code: status.UNAUTHENTICATED, details: `the token of the agent is refused: ${(error as Error).message}` };
  }
}

function grpcCredentials(tls: ServerTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) };
  return ServerCredentials.createSsl(tls.ca ? Buffer.from(tls.ca) : null, [pair], tls.ca !== undefined);
}

/** Resolves with the port (0 for a Unix socket). */
export function bindGrpc(
  server: Server,
  at: { readonly host: string; readonly port: number } | { readonly path: string },
  tls: ServerTls | undefined,
): Promise<number> {
  const address = 'path' in at ? `unix:${at.path}` : joinHostPort(at.host, at.port);
  return new Promise((resolve, reject) => {
    server.bindAsync(address, grpcCredentials(tls), (error, port) => (error ? reject(error) : resolve(port)));
  });
}
