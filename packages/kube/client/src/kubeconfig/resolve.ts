import type { Kubeconfig, NamedCluster, NamedUser } from '@hypershift-ts/kube-apimachinery';
import type { ClusterConfig, ExecPlugin, PemSource } from '../http/cluster-config.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import type { LoadOptions } from './load.ts';
import { loadKubeconfig } from './load.ts';

export interface ResolveOptions {
  /** Default: the current context. */
  readonly context?: string;
}

/** What a context of a kubeconfig amounts to. */
export function clusterConfigFrom(config: Kubeconfig, options: ResolveOptions = {}): ClusterConfig {
  const name = options.context ?? config['current-context'];
  if (!name) throw new KubeconfigError('the kubeconfig has no current-context; set one or name a context');
  const context = config.contexts?.find((entry) => entry.name === name)?.context;
  if (!context) throw new KubeconfigError(`the kubeconfig has no context "${name}"${known(config.contexts)}`);
  const cluster = config.clusters?.find((entry) => entry.name === context.cluster)?.cluster;
  if (!cluster) {
    throw new KubeconfigError(`context "${name}" names the cluster "${context.cluster}", which is not there`);
  }
  const user = context.user ? config.users?.find((entry) => entry.name === context.user)?.user : {};
  if (!user) throw new KubeconfigError(`context "${name}" names the user "${context.user}", which is not there`);
  return {
    ...clusterPart(cluster, `cluster "${context.cluster}"`),
    ...userPart(user, `user "${context.user}"`),
    ...(context.namespace ? { namespace: context.namespace } : {}),
  };
}

/** Loads and resolves in one go. */
export async function loadClusterConfig(options: LoadOptions & ResolveOptions = {}): Promise<ClusterConfig> {
  return clusterConfigFrom(await loadKubeconfig(options), options);
}

function known(entries: readonly { readonly name: string }[] | undefined): string {
  const names = (entries ?? []).map((entry) => entry.name);
  return names.length === 0 ? '' : `; it has ${names.slice(0, 10).join(', ')}`;
}

function clusterPart(cluster: NamedCluster['cluster'], what: string): ClusterConfig {
  const { server } = cluster;
  if (!server) throw new KubeconfigError(`${what} has no server`);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new KubeconfigError(`${what}: server must be an https:// or http:// URL, not ${JSON.stringify(server)}`);
  }
  if (cluster['proxy-url']) {
    throw new KubeconfigError(`${what} sets proxy-url, which is not supported; remove it or reach the server directly`);
  }
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  const ca = pemSource(cluster, 'certificate-authority', what);
  if (insecure && ca) {
    throw new KubeconfigError(`${what} sets both a certificate authority and insecure-skip-tls-verify; keep one`);
  }
  return {
    server,
    ...(ca ? { certificateAuthority: ca } : {}),
    ...(insecure ? { insecureSkipTlsVerify: true } : {}),
    ...(cluster['tls-server-name'] ? { tlsServerName: cluster['tls-server-name'] } : {}),
  };
}

function userPart(user: NamedUser['user'], what: string): Partial<ClusterConfig> {
  if (user['auth-provider']) {
    throw new KubeconfigError(
      `${what} uses the auth-provider "${user['auth-provider'].name}", which Kubernetes removed; use an exec plugin`,
    );
  }
  const certificate = pemSource(user, 'client-certificate', what);
  const key = pemSource(user, 'client-key', what);
  if (Boolean(certificate) !== Boolean(key)) {
    throw new KubeconfigError(
      `${what} has a client ${certificate ? 'certificate without its key' : 'key without its certificate'}`,
    );
  }
  if (user.username && user.token) throw new KubeconfigError(`${what} has both a token and a user name; keep one`);
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user;
  if (!as && (uid || groups?.length || extra))
    throw new KubeconfigError(`${what} impersonates groups but no user (as)`);
  return {
    ...(certificate && key ? { clientCertificate: { certificate, key } } : {}),
    ...(user.token ? { token: user.token } : {}),
    ...(user.tokenFile ? { tokenFile: user.tokenFile } : {}),
    ...(user.username ? { basic: { username: user.username, password: user.password ?? '' } } : {}),
    ...(user.exec ? { exec: execPart(user.exec, what) } : {}),
    ...(as
      ? {
          impersonate: {
            user: as,
            ...(uid ? { uid } : {}),
            ...(groups ? { groups } : {}),
            ...(extra ? { extra } : {}),
          },
        }
      : {}),
  };
}

const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

function execPart(exec: NonNullable<NamedUser['user']['exec']>, what: string): ExecPlugin {
  const { command, apiVersion } = exec;
  if (!command) throw new KubeconfigError(`${what}: exec has no command`);
  if (!apiVersion || !execVersions.includes(apiVersion)) {
    throw new KubeconfigError(`${what}: exec.apiVersion must be one of ${execVersions.join(', ')}`);
  }
  if (exec.interactiveMode === 'Always') {
    throw new KubeconfigError(`${what}: the exec plugin wants a terminal (interactiveMode Always), and there is none`);
  }
  return {
    apiVersion,
    command,
    ...(exec.args ? { args: exec.args } : {}),
    ...(exec.env ? { env: exec.env } : {}),
    ...(exec.installHint ? { installHint: exec.installHint } : {}),
    ...(exec.provideClusterInfo ? { provideClusterInfo: true } : {}),
  };
}

/** `field-data` (base64) wins over `field` (a file), as in kubectl. */
function pemSource(object: object, field: string, what: string): PemSource | undefined {
  const values = object as Record<string, unknown>;
  const data = values[`${field}-data`];
  if (typeof data === 'string' && data !== '') {
    const pem = Buffer.from(data, 'base64').toString('utf8');
    if (!pem.includes('-----BEGIN ')) throw new KubeconfigError(`${what}: ${field}-data is not base64 of a PEM`);
    return { pem };
  }
  const file = values[field];
  return typeof file === 'string' && file !== '' ? { file } : undefined;
}
