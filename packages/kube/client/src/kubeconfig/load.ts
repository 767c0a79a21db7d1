import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Kubeconfig, NamedCluster, NamedContext, NamedUser } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { parse } from 'yaml';
import { KubeconfigError } from './kubeconfig-error.ts';

/** Reads one kubeconfig text; relative file names in it are taken relative to `directory`. */
export function parseKubeconfig(text: string, source: string, directory: string): Kubeconfig {
  let parsed: unknown;
  try {
    parsed = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new KubeconfigError(`${source} is not YAML: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
  if (parsed === null || parsed === undefined) return {};
  if (!isJsonObject(parsed)) throw new KubeconfigError(`${source} is not a kubeconfig: expected a mapping`);
  if (parsed['kind'] !== undefined && parsed['kind'] !== 'Config') {
    throw new KubeconfigError(`${source} is not a kubeconfig: kind is ${JSON.stringify(parsed['kind'])}, not "Config"`);
  }
  const config = parsed as Kubeconfig;
  return {
    ...config,
    clusters: entries<NamedCluster>(config.clusters, 'clusters', 'cluster', source).map((entry) => ({
      ...entry,
      cluster: absolute(entry.cluster, ['certificate-authority'], directory),
    })),
    users: entries<NamedUser>(config.users, 'users', 'user', source).map((entry) => {
      const user = absolute(entry.user, ['client-certificate', 'client-key', 'tokenFile'], directory);
      return { ...entry, user: user.exec?.command ? { ...user, exec: commandIn(user.exec, directory) } : user };
    }),
    contexts: entries<NamedContext>(config.contexts, 'contexts', 'context', source),
  };
}

function entries<T>(list: readonly unknown[] | undefined | null, field: string, inner: string, source: string): T[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new KubeconfigError(`${source}: ${field} must be a list`);
  return list.map((entry, i) => {
    if (isJsonObject(entry) && typeof entry['name'] === 'string') {
      if (entry[inner] === undefined || entry[inner] === null) return { ...entry, [inner]: {} } as T;
      if (isJsonObject(entry[inner])) return entry as T;
    }
    throw new KubeconfigError(`${source}: ${field}[${i}] must have a name and a ${inner}`);
  });
}

function absolute<T extends object>(object: T, fields: readonly (keyof T & string)[], directory: string): T {
  const result = { ...object } as Record<string, unknown>;
  for (const field of fields) {
    const value = result[field];
    if (typeof value === 'string' && value !== '') result[field] = resolve(directory, value);
  }
  return result as T;
}

/** A command with a slash is a file beside the kubeconfig; without one it is looked up in PATH. */
function commandIn<T extends { readonly command?: string }>(exec: T, directory: string): T {
  const { command } = exec;
  return command?.includes('/') ? { ...exec, command: resolve(directory, command) } : exec;
}

/** Merges as kubectl does: the first to say something about a name or the current context wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merge = <T extends { readonly name: string }>(pick: (config: Kubeconfig) => readonly T[] | undefined): T[] => {
    const byName = new Map<string, T>();
    for (const config of configs) {
      for (const entry of pick(config) ?? []) if (!byName.has(entry.name)) byName.set(entry.name, entry);
    }
    return [...byName.values()];
  };
  const current = configs.map((config) => config['current-context']).find((context) => context);
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: merge((config) => config.clusters),
    users: merge((config) => config.users),
    contexts: merge((config) => config.contexts),
    ...(current ? { 'current-context': current } : {}),
  };
}

export interface LoadOptions {
  /** One file, as `--kubeconfig` names it; it must exist. */
  readonly file?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Finds and reads the kubeconfig: the named file, else the files in KUBECONFIG, else ~/.kube/config. */
export async function loadKubeconfig(options: LoadOptions = {}): Promise<Kubeconfig> {
  if (options.file) {
    const text = await readFile(options.file, 'utf8').catch((error: Error) => {
      throw new KubeconfigError(`cannot read the kubeconfig: ${error.message}`, { cause: error });
    });
    return parseKubeconfig(text, options.file, dirname(resolve(options.file)));
  }
  const env = options.env ?? process.env;
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  const files = listed.length > 0 ? listed : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
  const configs: Kubeconfig[] = [];
  for (const file of files) {
    try {
      configs.push(parseKubeconfig(await readFile(file, 'utf8'), file, dirname(resolve(file))));
    } catch (error) {
      // Files in the list may be missing; only what exists counts.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return mergeKubeconfigs(configs);
}
