import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type ProxyStrategy, proxyStrategies } from '../server/backends.ts';
import type { ProxyServerOptions, ServerTls } from '../server/proxy-server-options.ts';
import { openSslCiphers } from './cipher-suites.ts';
import { FlagError, type FlagValues, flagsOf, parseFlags } from './flag-table.ts';

/** The flags of upstream's proxy-server with their defaults. */
const specs = {
  ...flagsOf('string', {
    'server-cert': '',
    'server-key': '',
    'server-ca-cert': '',
    'cluster-cert': '',
    'cluster-key': '',
    'cluster-ca-cert': '',
    mode: 'grpc',
    'uds-name': '',
    'server-bind-address': '',
    'agent-bind-address': '',
    'admin-bind-address': '127.0.0.1',
    'health-bind-address': '',
    'server-id': '',
    'agent-namespace': '',
    'agent-service-account': '',
    kubeconfig: '',
    'kubeconfig-qps': '0',
    'kube-api-content-type': 'application/vnd.kubernetes.protobuf',
    'authentication-audience': '',
    'proxy-strategies': 'default',
    'tls-min-version': '',
    'lease-namespace': 'kube-system',
    'lease-label': 'k8s-app=konnectivity-server',
  }),
  ...flagsOf('int', {
    'server-port': '8090',
    'agent-port': '8091',
    'admin-port': '8095',
    'health-port': '8092',
    'server-count': '1',
    'kubeconfig-burst': '0',
    'xfr-channel-size': '10',
  }),
  ...flagsOf('bool', {
    'delete-existing-uds-file': 'true',
    'enable-profiling': 'false',
    'enable-contention-profiling': 'false',
    'enable-lease-controller': 'false',
    'warn-on-channel-limit': 'true',
  }),
  ...flagsOf('duration', {
    'keepalive-time': '1h',
    'frontend-keepalive-time': '1h',
    'graceful-shutdown-timeout': '0',
    'backend-dial-timeout': '0',
  }),
  ...flagsOf('list', { 'cipher-suites': '' }),
};

interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** The command line of a proxy-server, checked; certificates are still names of files. */
export interface ProxyServerFlags {
  readonly options: Omit<ProxyServerOptions, 'front' | 'agents'>;
  readonly front: { readonly host: string; readonly port: number; readonly tls: TlsFiles } | { readonly path: string };
  readonly agents: { readonly host: string; readonly port: number; readonly tls: TlsFiles };
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL's names; absent for the default list. */
  readonly ciphers?: string;
  /** With all three, agents show a service account's token instead of a certificate; see `authenticateAgent`. */
  readonly agentToken?: { readonly namespace: string; readonly serviceAccount: string; readonly audience: string };
  readonly kubeconfig: string;
}

/** Throws a FlagError that names the flag. */
export function parseProxyServerFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): ProxyServerFlags {
  const flags = parseFlags(specs, args);
  const mode = flags.text('mode');
  if (mode !== 'grpc' && mode !== 'http-connect')
    throw new FlagError(`--mode: must be "grpc" or "http-connect", not "${mode}"`);
  if (flags.bool('enable-lease-controller'))
    throw new FlagError('--enable-lease-controller: leases are not published by this server; use --server-count');
  const agentToken = agentTokenOf(flags);
  return {
    options: {
      mode,
      serverID: flags.text('server-id') || env['PROXY_SERVER_ID'] || randomUUID(),
      serverCount: flags.int('server-count'),
      strategies: strategiesOf(flags.text('proxy-strategies')),
      keepaliveMs: flags.milliseconds('keepalive-time'),
      frontKeepaliveMs: flags.milliseconds('frontend-keepalive-time'),
      dialTimeoutMs: flags.milliseconds('backend-dial-timeout'),
      health: { host: anyAddress(flags.text('health-bind-address')), port: flags.port('health-port') },
      admin: { host: flags.text('admin-bind-address') || '127.0.0.1', port: flags.port('admin-port') },
    },
    front: frontOf(flags),
    agents: {
      host: anyAddress(flags.text('agent-bind-address')),
      port: flags.port('agent-port'),
      tls: tlsFiles(flags, 'cluster'),
    },
    minVersion: minVersionOf(flags.text('tls-min-version')),
    ...ciphersOf(flags.list('cipher-suites')),
    kubeconfig: flags.text('kubeconfig'),
    ...(agentToken ? { agentToken } : {}),
  };
}

/** Reads the certificate files. */
export async function loadProxyServerOptions(flags: ProxyServerFlags): Promise<ProxyServerOptions> {
  const tls = async (files: TlsFiles): Promise<ServerTls | undefined> => {
    if (files.cert === '') return undefined;
    const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')]);
    return {
      cert,
      key,
      minVersion: flags.minVersion,
      ...(flags.ciphers ? { ciphers: flags.ciphers } : {}),
      ...(files.ca ? { ca: await readFile(files.ca, 'utf8') } : {}),
    };
  };
  const agentTls = await tls(flags.agents.tls);
  const { host, port } = flags.agents;
  const agents = { host, port, ...(agentTls ? { tls: agentTls } : {}) };
  if ('path' in flags.front) return { ...flags.options, agents, front: flags.front };
  const frontTls = await tls(flags.front.tls);
  if (!frontTls) throw new FlagError('--server-cert: must be set unless --uds-name is');
  return { ...flags.options, agents, front: { host: flags.front.host, port: flags.front.port, tls: frontTls } };
}

function frontOf(flags: FlagValues): ProxyServerFlags['front'] {
  const path = flags.text('uds-name');
  const tls = tlsFiles(flags, 'server');
  const port = flags.port('server-port');
  if (path === '') {
    if (tls.ca === '') throw new FlagError('--server-ca-cert: must be set unless --uds-name is');
    return { host: anyAddress(flags.text('server-bind-address')), port, tls };
  }
  if (port !== 0) throw new FlagError(`--server-port: must be 0 with --uds-name, not ${port}`);
  if (tls.cert || tls.key || tls.ca) throw new FlagError('--server-cert: a Unix socket has no certificates');
  return { path };
}

function tlsFiles(flags: FlagValues, which: 'server' | 'cluster'): TlsFiles {
  const [cert, key, ca] = [flags.text(`${which}-cert`), flags.text(`${which}-key`), flags.text(`${which}-ca-cert`)];
  if ((cert === '') !== (key === '')) throw new FlagError(`--${which}-cert: needs --${which}-key, and the reverse`);
  return { cert, key, ca };
}

function strategiesOf(text: string): readonly ProxyStrategy[] {
  return text.split(',').map((name) => {
    const known = proxyStrategies.find((strategy) => strategy === name);
    if (!known) throw new FlagError(`--proxy-strategies: "${name}" is none of ${proxyStrategies.join(', ')}`);
    return known;
  });
}

function agentTokenOf(flags: FlagValues): ProxyServerFlags['agentToken'] {
  const [namespace, serviceAccount, audience] = [
    flags.text('agent-namespace'),
    flags.text('agent-service-account'),
    flags.text('authentication-audience'),
  ];
  if (!namespace && !serviceAccount && !audience) return undefined;
  if (!namespace || !serviceAccount || !audience)
    throw new FlagError('--agent-namespace, --agent-service-account and --authentication-audience belong together');
  if (flags.text('cluster-ca-cert'))
    throw new FlagError('--cluster-ca-cert: cannot be used when agents authenticate with tokens');
  return { namespace, serviceAccount, audience };
}

function ciphersOf(names: readonly string[]): { readonly ciphers?: string } {
  if (names.length === 0) return {};
  const found = openSslCiphers(names);
  if ('unknown' in found) throw new FlagError(`--cipher-suites: "${found.unknown}" is not known or not secure`);
  return found;
}

function minVersionOf(text: string): 'TLSv1.2' | 'TLSv1.3' {
  if (text === '' || text === 'VersionTLS12') return 'TLSv1.2';
  if (text === 'VersionTLS13') return 'TLSv1.3';
  throw new FlagError(`--tls-min-version: "${text}" is neither VersionTLS12 nor VersionTLS13`);
}

function anyAddress(text: string): string {
  return text === '' ? '0.0.0.0' : text;
}
