import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { corev1, errorMessage } from '@hypershift-ts/kube-apimachinery';
import {
  type Client,
  type ClusterConfig,
  HttpClient,
  KubeconfigError,
  loadClusterConfig,
} from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { runningCluster } from '../kube/state-file.ts';

/** Where clusters of `make up` and `hypershift kube` live, relative to the current folder. */
const stateFolder = '.hypershift';

export interface AccessOptions {
  readonly kubeconfig?: string;
}

/** A management cluster and how it was found. */
export interface Connection {
  readonly client: Client;
  readonly server: string;
  /** `--kubeconfig`, `KUBECONFIG`, ... for messages. */
  readonly source: string;
  /** Whether it is one of ours, which runs what a real cluster would have to pull. */
  isEmbedded(): Promise<boolean>;
}

export function accessOption(command: Command): Command {
  return command.option(
    '--kubeconfig <file>',
    `management cluster (default: KUBECONFIG, then a cluster that runs in ${stateFolder}/, then ~/.kube/config)`,
  );
}

/** Data directories below the current folder in which a cluster runs. */
async function embeddedKubeconfigs(
  folder: string,
): Promise<readonly { readonly file: string; readonly dataDir: string }[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const dataDir = resolve(folder, name);
      const state = await runningCluster(dataDir);
      return state ? { file: state.kubeconfig, dataDir } : undefined;
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** The kubeconfig file to use and why; no file means that of the home folder. */
async function kubeconfigSource(
  options: AccessOptions,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ readonly file?: string; readonly source: string }> {
  if (options.kubeconfig) return { file: options.kubeconfig, source: `--kubeconfig ${options.kubeconfig}` };
  if (env['KUBECONFIG']) return { source: 'KUBECONFIG' };
  const [first, second] = await embeddedKubeconfigs(join(cwd, stateFolder));
  if (first && second)
    throw new UserError(
      `more than one cluster runs in ${stateFolder}/: ${relative(cwd, first.dataDir)}, ${relative(cwd, second.dataDir)}`,
      `Choose one: --kubeconfig ${relative(cwd, first.file)}`,
    );
  if (first) return { file: first.file, source: `the cluster running in ${relative(cwd, first.dataDir)}` };
  return { source: '~/.kube/config' };
}

/** Finds and opens the management cluster. */
export async function connect(
  options: AccessOptions = {},
  env: NodeJS.ProcessEnv = process.env,
  cwd: string = process.cwd(),
): Promise<Connection> {
  const { file, source } = await kubeconfigSource(options, env, cwd);
  const config = await load(file, source, env);
  const client = new HttpClient(config, { userAgent: 'hypershift-cli' });
  return connectionTo(client, config.server, source);
}

/** A connection over a client that exists already. */
export function connectionTo(client: Client, server: string, source: string): Connection {
  let embedded: Promise<boolean> | undefined;
  return {
    client,
    server,
    source,
    isEmbedded() {
      embedded ??= reachable(server, source, isEmbeddedCluster(client));
      return embedded;
    },
  };
}

async function load(file: string | undefined, source: string, env: NodeJS.ProcessEnv): Promise<ClusterConfig> {
  try {
    return await loadClusterConfig(file ? { file } : { env });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new UserError(
      `no management cluster: ${error.message} (looked at ${source})`,
      'Start one with `make up`, or name yours with --kubeconfig.',
      { cause: error },
    );
  }
}

/** Nodes of an embedded cluster say what they are. */
async function isEmbeddedCluster(client: Client): Promise<boolean> {
  const { items } = await client.list(corev1.nodes, { limit: 1 });
  return items[0]?.status?.nodeInfo?.containerRuntimeVersion?.startsWith('hypershift-ts://') ?? false;
}

/** Names the server when it gives no answer: the message of a broken connection does not. */
async function reachable<T>(server: string, source: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 503) throw error;
    throw new UserError(
      `the management cluster at ${server} does not answer: ${errorMessage(error)}`,
      `It was chosen by ${source}. Is it running? \`make up\` starts an embedded one.`,
      { cause: error },
    );
  }
}

/** Runs a command against the management cluster and lets go of it afterwards. */
export async function withConnection<T>(
  options: AccessOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(options);
  try {
    return await reachable(connection.server, connection.source, work(connection));
  } finally {
    await connection.client.close();
  }
}
