import { execFile } from 'node:child_process';
import type { ClusterConfig, ExecPlugin } from './cluster-config.ts';

/** What a credential plugin answered. */
export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** Milliseconds since the epoch; absent: good until refused. */
  readonly expiresAtMs?: number;
}

const timeoutMs = 60_000;
const maxOutputBytes = 1 << 20;

/** Runs the plugin without a terminal and reads its ExecCredential. Nothing of its output ends up in messages. */
export async function runExecPlugin(plugin: ExecPlugin, cluster: ClusterConfig): Promise<ExecCredential> {
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: {
      interactive: false,
      ...(plugin.provideClusterInfo
        ? {
            cluster: {
              server: cluster.server,
              'tls-server-name': cluster.tlsServerName,
              'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify,
              ...(cluster.certificateAuthority && 'pem' in cluster.certificateAuthority
                ? { 'certificate-authority-data': Buffer.from(cluster.certificateAuthority.pem).toString('base64') }
                : {}),
            },
          }
        : {}),
    },
  };
  const env: NodeJS.ProcessEnv = { ...process.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  for (const { name, value } of plugin.env ?? []) env[name] = value;
  const output = await run(plugin, env);
  return parseExecCredential(output, plugin);
}

function run(plugin: ExecPlugin, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: timeoutMs, maxBuffer: maxOutputBytes };
    execFile(plugin.command, [...(plugin.args ?? [])], options, (error, stdout) => {
      if (!error) return resolve(stdout);
      const hint = plugin.installHint ? `\n${plugin.installHint}` : '';
      const why =
        error.code === 'ENOENT' ? 'it was not found' : `it failed (${error.killed ? 'time is up' : error.code})`;
      reject(new Error(`the credential plugin "${plugin.command}" gave no credentials: ${why}${hint}`));
    });
  });
}

/** Reads what a plugin printed. */
function parseExecCredential(output: string, plugin: ExecPlugin): ExecCredential {
  const complain = (what: string) => new Error(`the credential plugin "${plugin.command}" ${what}`);
  let parsed: { kind?: unknown; apiVersion?: unknown; status?: Record<string, unknown> | null };
  try {
    parsed = JSON.parse(output);
  } catch {
    throw complain('printed something that is not JSON');
  }
  if (parsed?.kind !== 'ExecCredential') throw complain('did not print an ExecCredential');
  if (parsed.apiVersion !== plugin.apiVersion) {
    throw complain(`answered with apiVersion ${String(parsed.apiVersion)}, but ${plugin.apiVersion} was asked for`);
  }
  const { status } = parsed;
  const text = (field: string) => (typeof status?.[field] === 'string' ? status[field] : undefined);
  const token = text('token');
  const certificate = text('clientCertificateData');
  const key = text('clientKeyData');
  if ((certificate === undefined) !== (key === undefined)) throw complain('printed half a client certificate');
  if (token === undefined && certificate === undefined) throw complain('printed neither a token nor a certificate');
  const expires = Date.parse(text('expirationTimestamp') ?? '');
  return {
    ...(token === undefined ? {} : { token }),
    ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
    ...(Number.isNaN(expires) ? {} : { expiresAtMs: expires }),
  };
}
