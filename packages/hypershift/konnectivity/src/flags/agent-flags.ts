import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ProxyAgentOptions } from '../agent/proxy-agent.ts';
import { FlagError, flagsOf, parseFlags } from './flag-table.ts';

/** The flags of upstream's proxy-agent with their defaults. */
const specs = {
  ...flagsOf('string', {
    'agent-cert': '',
    'agent-key': '',
    'ca-cert': '',
    'proxy-server-host': '127.0.0.1',
    'health-server-host': '',
    'admin-bind-address': '127.0.0.1',
    'agent-id': '',
    'agent-identifiers': '',
    'service-account-token-path': '',
    'lease-namespace': 'kube-system',
    'lease-label-selector': 'k8s-app=konnectivity-server',
    'lease-label': '',
    'server-count-source': 'default',
    kubeconfig: '',
    'kube-api-content-type': 'application/vnd.kubernetes.protobuf',
  }),
  ...flagsOf('int', {
    'proxy-server-port': '8091',
    'health-server-port': '8093',
    'admin-server-port': '8094',
    'xfr-channel-size': '150',
  }),
  ...flagsOf('bool', {
    'enable-profiling': 'false',
    'enable-contention-profiling': 'false',
    'warn-on-channel-limit': 'false',
    'sync-forever': 'false',
    'count-server-leases': 'false',
  }),
  ...flagsOf('duration', {
    'sync-interval': '1s',
    'probe-interval': '1s',
    'sync-interval-cap': '10s',
    'keepalive-time': '1h',
  }),
  ...flagsOf('list', { 'alpn-proto': '' }),
};

/** The command line of a proxy-agent, checked; certificates are still names of files. */
export interface ProxyAgentFlags {
  readonly options: Omit<ProxyAgentOptions, 'server'>;
  readonly server: { readonly host: string; readonly port: number };
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
}

/** Throws a FlagError that names the flag. */
export function parseProxyAgentFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): ProxyAgentFlags {
  const flags = parseFlags(specs, args);
  const [ca, cert, key] = [flags.text('ca-cert'), flags.text('agent-cert'), flags.text('agent-key')];
  if ((cert === '') !== (key === '')) throw new FlagError('--agent-cert: needs --agent-key, and the reverse');
  if (flags.bool('count-server-leases'))
    throw new FlagError('--count-server-leases: servers are counted by what they announce; leave it out');
  if (flags.list('alpn-proto').length > 0)
    throw new FlagError('--alpn-proto: only h2 is offered to the server; leave it out');
  const syncIntervalMs = flags.milliseconds('sync-interval');
  const syncIntervalCapMs = flags.milliseconds('sync-interval-cap');
  if (syncIntervalMs > syncIntervalCapMs)
    throw new FlagError('--sync-interval: must not be longer than --sync-interval-cap');
  // A broken connection is noticed by its events, so there is nothing to probe; the value is still checked.
  flags.milliseconds('probe-interval');
  const tokenPath = flags.text('service-account-token-path');
  return {
    options: {
      agentID: flags.text('agent-id') || env['PROXY_AGENT_ID'] || randomUUID(),
      identifiers: flags.text('agent-identifiers'),
      syncIntervalMs,
      syncIntervalCapMs,
      syncForever: flags.bool('sync-forever'),
      keepaliveMs: flags.milliseconds('keepalive-time'),
      health: { host: flags.text('health-server-host') || '0.0.0.0', port: flags.port('health-server-port') },
      admin: { host: flags.text('admin-bind-address') || '0.0.0.0', port: flags.port('admin-server-port') },
      ...(tokenPath ? { token: () => readFile(tokenPath, 'utf8') } : {}),
    },
    server: { host: flags.text('proxy-server-host'), port: flags.port('proxy-server-port') },
    tls: { ca, cert, key },
  };
}

/** Reads the certificate files. */
export async function loadProxyAgentOptions({ options, server, tls }: ProxyAgentFlags): Promise<ProxyAgentOptions> {
  const files = Object.entries(tls).filter(([, path]) => path !== '');
  const read = await Promise.all(files.map(async ([name, path]) => [name, await readFile(path, 'utf8')] as const));
  return { ...options, server: { ...server, tls: Object.fromEntries(read) } };
}
