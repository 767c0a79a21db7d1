import {
  LocalProxyServers,
  loadProxyAgentOptions,
  loadProxyServerOptions,
  type ProxyAgentFlags,
  type ProxyAgentOptions,
  parseProxyAgentFlags,
  parseProxyServerFlags,
  type ProxyServer,
  type ProxyServerFlags,
  startProxyAgent,
  startProxyServer,
} from '@hypershift-ts/hypershift-konnectivity';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type BuiltinContext, type BuiltinProgram, portHere } from '@hypershift-ts/kube-kubelet';
import { programLog, rememberedCertificates, stopped } from '@hypershift-ts/kube-programs';
import type { Resolve } from '@hypershift-ts/machines-providers';

const argumentsOf = ({ command, args }: BuiltinContext): readonly string[] => [...(command ?? []).slice(1), ...args];

export interface KonnectivityPrograms {
  /** `proxy-server`: the tunnel's end beside a hosted API server. */
  readonly proxyServer: BuiltinProgram;
  /** `proxy-agent`: dials the servers of a hosted cluster and carries their connections onwards. */
  readonly proxyAgent: BuiltinProgram;
  /** The same on a simulated machine, whose way to the servers is another. */
  readonly machineProxyAgent: (resolve: Resolve) => BuiltinProgram;
}

/** Servers and agents of one process meet without sockets, once TLS has shown that an address leads to such a server. */
export function konnectivityPrograms(clock: Clock = systemClock): KonnectivityPrograms {
  const servers = new LocalProxyServers();
  const presented = rememberedCertificates(clock, (certificate) => servers.has(certificate));
  const nearby = async ({ host, port, tls }: ProxyAgentOptions['server']): Promise<readonly ProxyServer[]> => {
    if (servers.isEmpty || !tls?.ca) return [];
    const certificateAuthority = { pem: tls.ca };
    const tlsServerName = tls.serverName ?? host;
    const certificate = await presented({ server: `https://${host}:${port}`, certificateAuthority, tlsServerName });
    return servers.accepting(certificate, tls, clock.now());
  };
  const around = { nearby, arrivals: servers };
  return {
    proxyServer: (context) => runProxyServer(context, servers),
    proxyAgent: (context) =>
      runProxyAgent(context, around, (flags) => agentOnPod(flags, context, serviceResolve(context))),
    machineProxyAgent: (resolve) => (context) =>
      runProxyAgent(context, around, (flags) => agentOnMachine(agentOnPod(flags, context, resolve))),
  };
}

async function runProxyServer(context: BuiltinContext, servers: LocalProxyServers): Promise<void> {
  const flags = parseProxyServerFlags(argumentsOf(context), context.env);
  const options = await loadProxyServerOptions(serverOnPod(flags, context));
  const server = await startProxyServer(options);
  const { tls } = options.agents;
  const leave = tls && servers.add(server, tls);
  if (server.ports.health) context.answerProbes(server.ports.health, (path) => server.probe(path));
  programLog(context).info({}, 'builtin konnectivity server serves');
  try {
    await stopped(context.signal);
  } finally {
    leave?.();
    await server.close();
  }
}

/** The servers of this process, as agents find them. */
interface NearbyServers {
  readonly nearby: (server: ProxyAgentOptions['server']) => Promise<readonly ProxyServer[]>;
  readonly arrivals: Pick<LocalProxyServers, 'whenAdded'>;
}

async function runProxyAgent(
  context: BuiltinContext,
  { nearby, arrivals }: NearbyServers,
  here: (flags: ProxyAgentFlags) => ProxyAgentFlags,
): Promise<void> {
  const log = programLog(context);
  const flags = parseProxyAgentFlags(argumentsOf(context), context.env);
  const { server: address, ...options } = await loadProxyAgentOptions(here(flags));
  // Its address is not what the certificate is for.
  const server = { ...address, tls: { ...address.tls, serverName: flags.server.host } };
  const { ca } = server.tls;
  log.info({ server: `${flags.server.host}:${flags.server.port}` }, 'connecting to the konnectivity servers');
  const agent = await startProxyAgent({
    ...options,
    server,
    nearby: () => nearby(server),
    ...(ca ? { whenNearby: (wake: () => void) => arrivals.whenAdded(ca, wake) } : {}),
    clock: context.clock,
    onError: (error) => log.warn({ error }, 'no connection to a konnectivity server; trying again'),
  });
  // One agent on each of thousands of nodes: their probes take a call, not a connection.
  if (agent.ports.health) context.answerProbes(agent.ports.health, (path) => agent.probe(path));
  try {
    await stopped(context.signal);
  } finally {
    await agent.close();
  }
}

function serviceResolve(context: BuiltinContext): Resolve {
  return ({ host, port }) => {
    const address = context.resolveService(host);
    return { host: address, port: address === host ? port : portHere(port) };
  };
}

/** The admin port is for those on the machine itself, and nobody is on a simulated one. */
function agentOnMachine({ options: { admin: _admin, ...options }, ...flags }: ProxyAgentFlags): ProxyAgentFlags {
  return { ...flags, options };
}

/** All pods share this machine's addresses, so what a container binds is its pod's address only. */
function serverOnPod(flags: ProxyServerFlags, { podIP, path }: BuiltinContext): ProxyServerFlags {
  const { options, front, agents } = flags;
  const files = (tls: (typeof agents)['tls']) => ({
    cert: tls.cert && path(tls.cert),
    key: tls.key && path(tls.key),
    ca: tls.ca && path(tls.ca),
  });
  return {
    ...flags,
    options: {
      ...options,
      ...(options.health ? { health: { ...options.health, host: podIP } } : {}),
      ...(options.admin ? { admin: { ...options.admin, host: podIP } } : {}),
    },
    front: 'path' in front ? { path: path(front.path) } : { ...front, host: podIP, tls: files(front.tls) },
    agents: { ...agents, host: podIP, tls: files(agents.tls) },
  };
}

function agentOnPod(flags: ProxyAgentFlags, { podIP, path }: BuiltinContext, resolve: Resolve): ProxyAgentFlags {
  const { options, server, tls } = flags;
  return {
    ...flags,
    options: {
      ...options,
      ...(options.health ? { health: { ...options.health, host: podIP } } : {}),
      ...(options.admin ? { admin: { ...options.admin, host: podIP } } : {}),
    },
    server: resolve(server),
    tls: { ca: tls.ca && path(tls.ca), cert: tls.cert && path(tls.cert), key: tls.key && path(tls.key) },
  };
}
