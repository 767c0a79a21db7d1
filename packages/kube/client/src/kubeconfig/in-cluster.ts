import type { ClusterConfig } from '../http/cluster-config.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { readSmallFile } from './small-file.ts';

const defaultDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where the service account volume is mounted; embedded pods have theirs elsewhere. */
  readonly directory?: string;
}

/** The configuration of a process in a pod: the mounted service account, whose token file is re-read as it rotates. */
export async function inClusterConfig(options: InClusterOptions = {}): Promise<ClusterConfig> {
  const env = options.env ?? process.env;
  const directory = options.directory ?? defaultDirectory;
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) {
    throw new KubeconfigError(
      'not running in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; pass a kubeconfig',
    );
  }
  const tokenFile = `${directory}/token`;
  await readSmallFile(tokenFile).catch((error: Error) => {
    throw new KubeconfigError(`cannot read the service account token: ${error.message}`, { cause: error });
  });
  const namespace = await readSmallFile(`${directory}/namespace`).catch(() => '');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    certificateAuthority: { file: `${directory}/ca.crt` },
    tokenFile,
    ...(namespace.trim() ? { namespace: namespace.trim() } : {}),
  };
}
