/** Konnectivity: the tunnel through which a hosted API server reaches the nodes and services of its cluster. */
export type { ClientTls } from './agent/agent-connection.ts';
export { type ProxyAgent, type ProxyAgentOptions, startProxyAgent } from './agent/proxy-agent.ts';
export {
  type Dialer,
  type KonnectivityDialerOptions,
  konnectivityDialer,
  ProxyRefusedError,
} from './dialer/konnectivity-dialer.ts';
export { type ProxyStrategy, proxyStrategies } from './server/backends.ts';
export { DialError, type DialFailure } from './server/dial-error.ts';
export { type ProxyServer, startProxyServer } from './server/proxy-server.ts';
export type { ListenAddress, ProxyServerOptions, ServerTls } from './server/proxy-server-options.ts';
