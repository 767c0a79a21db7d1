import { parseArgs, type ParseArgsConfig } from 'node:util';
import { parseGoDuration } from '@hypershift-ts/kube-apimachinery';

/** A flag of kube-apiserver that we obey, with what it means here. */
interface Flag {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly help: string;
}

/** The flags of kube-apiserver that matter to an embedded server. */
export const apiServerFlags = {
  'secure-port': { type: 'string', help: 'Port to serve HTTPS on; 0 picks a free one.' },
  'bind-address': { type: 'string', help: 'Address to listen on.' },
  'advertise-address': { type: 'string', help: 'Address told to clients inside the cluster.' },
  'endpoint-reconciler-type': {
    type: 'string',
    help: 'none: somebody else writes the endpoints of Service kubernetes.',
  },
  'etcd-servers': { type: 'string', multiple: true, help: 'etcd endpoints, comma separated.' },
  'etcd-cafile': { type: 'string', help: 'CA that etcd servers are verified by.' },
  'etcd-certfile': { type: 'string', help: 'Client certificate for etcd.' },
  'etcd-keyfile': { type: 'string', help: 'Key of the client certificate for etcd.' },
  'etcd-prefix': { type: 'string', help: 'Only /registry is supported.' },
  'storage-file': { type: 'string', help: 'Keep state in this SQLite file instead of etcd (ours).' },
  'tls-cert-file': { type: 'string', help: 'Serving certificate chain.' },
  'tls-private-key-file': { type: 'string', help: 'Key of the serving certificate.' },
  'client-ca-file': { type: 'string', help: 'CAs whose client certificates are believed.' },
  'requestheader-client-ca-file': { type: 'string', help: 'CA of front proxies.' },
  'requestheader-allowed-names': { type: 'string', multiple: true, help: 'Names front proxies may have.' },
  'service-account-issuer': {
    type: 'string',
    multiple: true,
    help: 'Issuers of service account tokens; the first signs.',
  },
  'service-account-key-file': {
    type: 'string',
    multiple: true,
    help: 'Keys service account tokens are verified with.',
  },
  'service-account-signing-key-file': { type: 'string', help: 'Key service account tokens are signed with.' },
  'service-account-max-token-expiration': { type: 'string', help: 'Longest life of a token, such as 24h.' },
  'api-audiences': { type: 'string', multiple: true, help: 'Audiences tokens must be for.' },
  'token-auth-file': { type: 'string', help: 'CSV of static tokens.' },
  'anonymous-auth': { type: 'string', help: 'true lets requests without a credential in as system:anonymous.' },
  'authorization-mode': { type: 'string', multiple: true, help: 'Node, RBAC, AlwaysAllow, AlwaysDeny.' },
  'disable-admission-plugins': { type: 'string', multiple: true, help: 'Admission plugins to leave out.' },
  'service-cluster-ip-range': { type: 'string', help: 'Range cluster IPs are taken from.' },
  'service-node-port-range': { type: 'string', help: 'Range node ports are taken from, such as 30000-32767.' },
  'event-ttl': { type: 'string', help: 'How long events are kept, such as 1h.' },
  'max-requests-inflight': { type: 'string', help: 'Reading requests under way at once.' },
  'max-mutating-requests-inflight': { type: 'string', help: 'Writing requests under way at once.' },
  'request-timeout': { type: 'string', help: 'Longest time a request may take, such as 1m.' },
  'min-request-timeout': { type: 'string', help: 'Seconds a watch lives at least.' },
  'tls-sni-cert-key': {
    type: 'string',
    multiple: true,
    help: 'Certificate and key files, then optionally : and names: for clients that ask for these. May be repeated.',
  },
  'audit-log-path': { type: 'string', help: 'File for one line a request; - for standard output.' },
  'kubelet-certificate-authority': { type: 'string', help: 'CA kubelets are verified by.' },
  'kubelet-client-certificate': { type: 'string', help: 'Client certificate for kubelets.' },
  'kubelet-client-key': { type: 'string', help: 'Key of the client certificate for kubelets.' },
  'egress-selector-config-file': { type: 'string', help: 'EgressSelectorConfiguration: the way to nodes and pods.' },
  v: { type: 'string', help: 'Verbosity of the log.' },
} as const satisfies Record<string, Flag>;

/**
 * Flags that manifests written for the real kube-apiserver carry and that need nothing here: what they turn on is
 * always on, or concerns parts we do not have. They are accepted so that the same manifests start both.
 */
export const acceptedFlags: readonly string[] = [
  'allow-privileged',
  'enable-admission-plugins',
  'enable-aggregator-routing',
  'enable-bootstrap-token-auth',
  'enable-logs-handler',
  'enable-priority-and-fairness',
  'feature-gates',
  'goaway-chance',
  'kubelet-preferred-address-types',
  'kubelet-read-only-port',
  'kubernetes-service-node-port',
  'logging-format',
  'audit-log-format',
  'audit-log-maxage',
  'audit-log-maxbackup',
  'audit-log-maxsize',
  'audit-policy-file',
  'profiling',
  'proxy-client-cert-file',
  'proxy-client-key-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-username-headers',
  'runtime-config',
  'service-account-jwks-uri',
  'service-account-lookup',
  'shutdown-delay-duration',
  'shutdown-send-retry-after',
  'storage-backend',
  'storage-media-type',
  'strict-transport-security-directives',
  'tls-cipher-suites',
  'tls-min-version',
  'audit-log-mode',
  'audit-log-truncate-enabled',
  'cloud-provider',
  'contention-profiling',
  'cors-allowed-origins',
  'default-not-ready-toleration-seconds',
  'default-unreachable-toleration-seconds',
  'default-watch-cache-size',
  'delete-collection-workers',
  'emulated-version',
  'etcd-compaction-interval',
  'etcd-count-metric-poll-period',
  'etcd-healthcheck-timeout',
  'etcd-readycheck-timeout',
  'external-hostname',
  'http2-max-streams-per-connection',
  'kubelet-timeout',
  'lease-reuse-duration-seconds',
  'livez-grace-period',
  'maximum-startup-sequence-duration',
  'permit-address-sharing',
  'permit-port-sharing',
  'send-retry-after-while-not-ready-once',
  'service-account-extend-token-expiration',
  'shutdown-watch-termination-grace-period',
  'show-hidden-metrics-for-version',
  'storage-initialization-timeout',
  'vmodule',
  'watch-cache',
  'watch-cache-sizes',
];

/** Flags of kube-apiserver that would change what is kept or who is let in, and that we cannot honour: said aloud. */
export const unsupportedFlags: readonly string[] = [
  'admission-control-config-file',
  'audit-webhook-config-file',
  'audit-webhook-mode',
  'audit-webhook-initial-backoff',
  'authentication-config',
  'authentication-token-webhook-cache-ttl',
  'authentication-token-webhook-config-file',
  'authentication-token-webhook-version',
  'authorization-config',
  'encryption-provider-config',
  'encryption-provider-config-automatic-reload',
  'etcd-servers-overrides',
  'oidc-ca-file',
  'oidc-client-id',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-issuer-url',
  'oidc-username-claim',
  'oidc-username-prefix',
  'peer-ca-file',
];

export type FlagName = keyof typeof apiServerFlags;
export type FlagValues = Partial<Record<FlagName, string | readonly string[]>>;

/** Parses a kube-apiserver command line; throws with the name of a flag nobody knows. */
export function parseApiServerFlags(args: readonly string[]): FlagValues {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, { type, multiple }] of Object.entries(apiServerFlags) as [string, Flag][])
    options[name] = { type, ...(multiple ? { multiple } : {}) };
  for (const name of [...acceptedFlags, ...unsupportedFlags]) options[name] = { type: 'string', multiple: true };
  const { values } = parseArgs({ args: args.map(valued), options, strict: true, allowPositionals: false });
  const known = Object.entries(values).filter(([name]) => name in apiServerFlags);
  return Object.fromEntries(known) as FlagValues;
}

/** Go takes `--profiling` for `--profiling=true`. */
function valued(arg: string, index: number, all: readonly string[]): string {
  const bare = /^--[a-z-]+$/.test(arg);
  const next = all[index + 1];
  return bare && (next === undefined || next.startsWith('--')) ? `${arg}=true` : arg;
}

/** Several occurrences and commas both make a list. */
export function listFlag(values: FlagValues, name: FlagName): string[] {
  const value = values[name];
  const parts = Array.isArray(value) ? value : value === undefined ? [] : [value as string];
  return parts.flatMap((part) => part.split(',')).filter((part) => part !== '');
}

/** Every occurrence as it was written. */
export function textsFlag(values: FlagValues, name: FlagName): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value : value === undefined ? [] : [value as string];
}

/** `cert.pem,key.pem` or `cert.pem,key.pem:name,name`, as kube-apiserver writes its named certificates. */
export function sniPairs(values: readonly string[]): readonly {
  readonly certificate: string;
  readonly key: string;
  readonly names: readonly string[];
}[] {
  return values.map((value) => {
    const [files = '', names = ''] = value.split(':', 2);
    const [certificate, key, ...rest] = files.split(',');
    if (!certificate || !key || rest.length > 0)
      throw new Error(`--tls-sni-cert-key: ${JSON.stringify(value)} is not a certificate file, a comma and a key file`);
    return { certificate, key, names: names.split(',').filter((name) => name !== '') };
  });
}

/** The last occurrence wins. */
export function textFlag(values: FlagValues, name: FlagName): string | undefined {
  const value = values[name];
  return Array.isArray(value) ? value.at(-1) : (value as string | undefined);
}

/** Seconds of a Go duration such as `1h30m`, `45s`, `100ms`. */
export function durationFlag(values: FlagValues, name: FlagName): number | undefined {
  const text = textFlag(values, name);
  if (text === undefined) return undefined;
  const ms = parseGoDuration(text);
  if (ms === undefined)
    throw new Error(`--${name}: ${JSON.stringify(text)} is not a duration; write it like 1h30m or 45s`);
  return ms / 1000;
}

export function numberFlag(values: FlagValues, name: FlagName): number | undefined {
  const text = textFlag(values, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name}: ${JSON.stringify(text)} is not a whole number`);
  return value;
}
