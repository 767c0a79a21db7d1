import {
  loadProxyAgentOptions,
  loadProxyServerOptions,
  type ProxyAgentFlags,
  parseProxyAgentFlags,
  parseProxyServerFlags,
  type ProxyServerFlags,
  startProxyAgent,
  startProxyServer,
} from '@hypershift-ts/hypershift-konnectivity';
import { type BuiltinContext, type BuiltinProgram, portHere } from '@hypershift-ts/kube-kubelet';
import { programLog, stopped } from '@hypershift-ts/kube-programs';
import type { Resolve } from '@hypershift-ts/machines-providers';

const argumentsOf = ({ command, args }: BuiltinContext): readonly string[] => [...(command ?? []).slice(1), ...args];

/** `proxy-server`: the tunnel's end beside a hosted API server. */
export const proxyServer: BuiltinProgram = async (context) => {
  const flags = parseProxyServerFlags(argumentsOf(context), context.env);
  const options = await loadProxyServerOptions(serverOnPod(flags, context));
  const server = await startProxyServer(options);
  programLog(context).info({}, 'builtin konnectivity server serves');
  try {
    await stopped(context.signal);
  } finally {
    await server.close();
  }
};

/** `proxy-agent`: dials the servers of a hosted cluster and carries their connections onwards. */
export const proxyAgent: BuiltinProgram = (context) =>
  runProxyAgent(context, ({ host, port }) => {
    const address = context.resolveService(host);
    return { host: address, port: address === host ? port : portHere(port) };
  });

/** The same on a machine whose way to the servers is another. */
export function proxyAgentVia(resolve: Resolve): BuiltinProgram {
  return (context) => runProxyAgent(context, resolve);
}

async function runProxyAgent(context: BuiltinContext, resolve: Resolve): Promise<void> {
  const log = programLog(context);
  const flags = parseProxyAgentFlags(argumentsOf(context), context.env);
  const { server, ...options } = await loadProxyAgentOptions(agentOnPod(flags, context, resolve));
  log.info({ server: `${flags.server.host}:${flags.server.port}` }, 'connecting to the konnectivity servers');
  const agent = await startProxyAgent({
    ...options,
    // Its address is not what the certificate is for.
    server: { ...server, tls: { ...server.tls, serverName: flags.server.host } },
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
