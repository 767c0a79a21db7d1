/** Konnectivity: the tunnel through which a hosted API server reaches the nodes and services of its cluster. */
export type { AgentCall, AgentIntroduction, ClientTls } from './agent/agent-call.ts';
export { type ProxyAgent, type ProxyAgentOptions, startProxyAgent } from './agent/proxy-agent.ts';
export {
  type Dialer,
  type KonnectivityDialerOptions,
  konnectivityDialer,
  ProxyRefusedError,
} from './dialer/konnectivity-dialer.ts';
export { LocalProxyServers } from './local/local-proxy-servers.ts';
export { type ProxyStrategy, proxyStrategies } from './server/backends.ts';
export { DialError, type DialFailure } from './server/dial-error.ts';
export { type ProxyServer, startProxyServer } from './server/proxy-server.ts';
export type { ListenAddress, ProxyServerOptions, ServerTls } from './server/proxy-server-options.ts';
export { loadProxyAgentOptions, type ProxyAgentFlags, parseProxyAgentFlags } from './flags/agent-flags.ts';
export { FlagError } from './flags/flag-table.ts';
export { loadProxyServerOptions, type ProxyServerFlags, parseProxyServerFlags } from './flags/server-flags.ts';
export { httpProxy } from './proxies/http-proxy.ts';
export { type RoutedDialerOptions, routedDialer } from './proxies/routed-dialer.ts';
export { socks5Proxy } from './proxies/socks5.ts';
