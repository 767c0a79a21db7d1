import { type Branch, isLeaf, type Leaf } from './tree.ts';

/** A setting with its place, `server.timeouts.read`. */
export interface Setting {
  readonly path: readonly string[];
  readonly leaf: Leaf;
}

export function leavesOf(branch: Branch, above: readonly string[] = []): Setting[] {
  return Object.entries(branch).flatMap(([name, node]) => {
    const path = [...above, name];
    return isLeaf(node) ? [{ path, leaf: node }] : leavesOf(node, path);
  });
}

/** `HYPERFLEET_SERVER_TIMEOUTS_READ` */
export function variableOf({ path }: Setting): string {
  const name = path.join('.');
  if (name === 'logging.otel.enabled') return 'HYPERFLEET_TRACING_ENABLED';
  return `HYPERFLEET_${path.join('_').toUpperCase()}`;
}

/** Database credentials may come from a mounted file: `HYPERFLEET_DATABASE_PASSWORD_FILE`. */
export function fileVariableOf(setting: Setting): string | undefined {
  const [section, name = ''] = setting.path;
  const isMounted = section === 'database' && ['host', 'port', 'name', 'username', 'password'].includes(name);
  return isMounted ? `${variableOf(setting)}_FILE` : undefined;
}

/** Flags whose names do not follow from the place of the setting. */
const shortFlags: Readonly<Record<string, string>> = {
  'server.timeouts.read': 'server-read-timeout',
  'server.timeouts.write': 'server-write-timeout',
  'server.tls.enabled': 'server-https-enabled',
  'server.tls.cert_file': 'server-https-cert-file',
  'server.tls.key_file': 'server-https-key-file',
  'database.pool.max_connections': 'db-max-open-connections',
  'database.ssl.root_cert_file': 'db-root-cert-file',
  'logging.masking.headers': 'log-masking-sensitive-headers',
  'logging.masking.fields': 'log-masking-sensitive-fields',
};

/** The flags of a setting: one from its place, and upstream's where that differs. */
export function flagsOf({ path }: Setting): string[] {
  const kebab = path.join('-').replaceAll('_', '-');
  const short = shortFlags[path.join('.')] ?? kebab.replace(/^database-/, 'db-').replace(/^logging-/, 'log-');
  return [...new Set([kebab, short])];
}
