import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
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

/** The gRPC server that agents connect to. Not listening yet. */
export function agentPort(tunnel: Tunnel, options: AgentPortOptions): Server {
  const server = new Server(channelOptions(options.keepaliveMs));
  server.addService(agentService, implementation({ Connect: (call) => void connect(tunnel, options, call) }));
  return server;
}

async function connect(tunnel: Tunnel, options: AgentPortOptions, call: PacketCall): Promise<void> {
  // Nothing is read before the agent is let in, and an agent that leaves meanwhile is no error.
  call.on('error', () => {});
  const refusal = await refusalOf(tunnel, options, call.metadata);
  if (call.cancelled) return;
  if (refusal) return void call.emit('error', refusal);
  const answer = new Metadata();
  answer.set(header.serverID, options.serverID);
  answer.set(header.serverCount, String(options.serverCount()));
  call.sendMetadata(answer);
  const [identifiers = ''] = call.metadata.get(header.agentIdentifiers);
  tunnel.attach(String(call.metadata.get(header.agentID)[0]), parseAgentIdentifiers(String(identifiers)), call);
  // The agent ended its side: so do we.
  call.on('end', () => call.end());
}

async function refusalOf(tunnel: Tunnel, options: AgentPortOptions, metadata: Metadata) {
  const ids = metadata.get(header.agentID);
  if (ids.length !== 1)
    return { code: status.INVALID_ARGUMENT, details: `expected one agent ID in the context, got ${ids.length}` };
  if (metadata.get(header.agentIdentifiers).length > 1)
    return { code: status.INVALID_ARGUMENT, details: 'expected at most one set of agent identifiers' };
  if (tunnel.backends.size >= options.maxAgents)
    return { code: status.RESOURCE_EXHAUSTED, details: `${options.maxAgents} agents are connected already` };
  if (!options.authenticateAgent) return undefined;
  const [authorization = ''] = metadata.get(header.authorization);
  const token = /^Bearer (.+)$/.exec(String(authorization))?.[1]?.trim();
  if (!token) return { code: status.UNAUTHENTICATED, details: 'the agent sent no bearer token' };
  try {
    await options.authenticateAgent(token);
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
