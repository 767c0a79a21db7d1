import { readSmallFile } from '@hypershift-ts/kube-client';
import { apiServerFlags, sniPairs, unsupportedFlags } from '@hypershift-ts/kube-apiserver';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import { ProgramFlags } from '../program-flags.ts';
import { flagsFromConfig } from './openshift-config.ts';

/** What the command line of a kube-apiserver container means on this machine. */
export interface ApiServerArguments {
  /** For runApiServer(), with paths and addresses of this machine. */
  readonly args: readonly string[];
  readonly etcdServers: readonly string[];
  readonly etcdFiles: { readonly ca?: string; readonly certificate?: string; readonly key?: string };
  /** Files that may be replaced while the server runs. */
  readonly reloaded: readonly string[];
  /** The one for everybody first, then those for certain names. */
  readonly servingCertificates: readonly string[];
  readonly clientCa: string | undefined;
  /** Said once at start: what was asked for and is not done. */
  readonly notices: readonly string[];
}

const configFlags = ['openshift-config', 'config'];
/** Only OpenShift's fork knows them; what they allow is RBAC's business here. */
const foreignModes = new Set(['Scope', 'SystemMasters']);
const ours = new Set(['Node', 'RBAC', 'AlwaysAllow', 'AlwaysDeny']);

/** Reads config files, makes paths real, binds to the pod's address. */
export async function apiServerArguments(
  context: Pick<BuiltinContext, 'command' | 'args' | 'path' | 'podIP'>,
): Promise<ApiServerArguments> {
  const words = programArguments(context);
  const given = new ProgramFlags(words);
  const config = configFlags.map((name) => given.text(name)).find((file) => file !== undefined);
  const fromConfig = config ? flagsFromConfig(await readSmallFile(context.path(config)), config) : [];
  const flags = mergedFlags(fromConfig, words);
  const notices: string[] = [];
  const args: string[] = [];
  const pathOf = (name: string): string | undefined => {
    const value = flags.get(name)?.at(-1);
    return value ? context.path(value) : undefined;
  };
  const named = sniPairs(flags.get('tls-sni-cert-key') ?? []).map(({ certificate, key, names }) => ({
    files: [context.path(certificate), context.path(key)] as const,
    names,
  }));
  for (const { files, names } of named)
    args.push(`--tls-sni-cert-key=${files.join(',')}${names.length > 0 ? `:${names.join(',')}` : ''}`);
  for (const [name, values] of flags) {
    if (name === 'tls-sni-cert-key') continue;
    if (unsupportedFlags.includes(name)) notices.push(`--${name} is not supported here and has no effect`);
    if (configFlags.includes(name) || name.startsWith('etcd-') || name === 'bind-address' || name === 'v') continue;
    if (name === 'authorization-mode') {
      args.push(...modesOf(values, notices));
      continue;
    }
    for (const value of values) args.push(`--${name}=${isPath(name, value) ? context.path(value) : value}`);
  }
  const prefix = flags.get('etcd-prefix')?.at(-1);
  if (prefix && prefix !== '/registry') notices.push(`--etcd-prefix=${prefix}: keys are kept under /registry`);
  const bind = flags.get('bind-address')?.at(-1);
  args.push(`--bind-address=${!bind || ['0.0.0.0', '::', '[::]'].includes(bind) ? context.podIP : bind}`);
  const etcd = { ca: pathOf('etcd-cafile'), certificate: pathOf('etcd-certfile'), key: pathOf('etcd-keyfile') };
  const reloaded = ['tls-cert-file', 'tls-private-key-file', 'client-ca-file'].map(pathOf);
  return {
    args,
    etcdServers: (flags.get('etcd-servers') ?? []).flatMap((value) => value.split(',')).filter((url) => url !== ''),
    etcdFiles: Object.fromEntries(Object.entries(etcd).filter(([, file]) => file !== undefined)),
    reloaded: [...reloaded.filter((file) => file !== undefined), ...named.flatMap(({ files }) => files)],
    servingCertificates: [pathOf('tls-cert-file') ?? '', ...named.map(({ files }) => files[0])],
    clientCa: pathOf('client-ca-file'),
    notices,
  };
}

/** The words after the program and its subcommand: `hyperkube kube-apiserver --x` and `kube-apiserver --x` are one. */
export function programArguments({ command = [], args }: Pick<BuiltinContext, 'command' | 'args'>): string[] {
  const words = [...command.slice(1), ...args];
  const first = words.findIndex((word) => word.startsWith('-'));
  return first < 0 ? [] : words.slice(first);
}

/** Flags of the command line replace those of the file as a whole. */
function mergedFlags(fromConfig: readonly string[], words: readonly string[]): Map<string, string[]> {
  const read = (args: readonly string[]) => {
    const found = new Map<string, string[]>();
    const flags = new ProgramFlags(args);
    for (const name of flags.unknown(new Set())) found.set(name, [...flags.all(name)]);
    return found;
  };
  // `-v2` is how a verbosity is often written; it means nothing here.
  return new Map([...read(fromConfig), ...read(words.filter((word) => !/^--?v=?\d*$/.test(word)))]);
}

function modesOf(values: readonly string[], notices: string[]): string[] {
  const modes = values.flatMap((value) => value.split(',')).filter((mode) => mode !== '');
  const unknown = modes.filter((mode) => !ours.has(mode) && !foreignModes.has(mode));
  if (unknown.length > 0) notices.push(`--authorization-mode: ${unknown.join(', ')} not supported here`);
  const foreign = modes.filter((mode) => foreignModes.has(mode));
  if (foreign.length > 0) notices.push(`--authorization-mode: ${foreign.join(', ')} left out, known to OpenShift only`);
  const kept = modes.filter((mode) => ours.has(mode));
  return kept.length > 0 ? [`--authorization-mode=${kept.join(',')}`] : [];
}

const fileFlags = new Set(
  Object.keys(apiServerFlags).filter((name) => /-(file|cafile|certfile|keyfile|certificate|key|authority)$/.test(name)),
);

function isPath(name: string, value: string): boolean {
  if (name === 'audit-log-path') return value !== '-';
  return fileFlags.has(name);
}
