import type { Kubeconfig, NamedCluster, NamedContext, NamedUser } from './document.ts';

/** A complete kubeconfig as an object; turning it into YAML is the writer's job. */
export interface KubeconfigDocument extends Kubeconfig {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters: readonly NamedCluster[];
  readonly users: readonly NamedUser[];
  readonly contexts: readonly NamedContext[];
  readonly 'current-context': string;
  readonly preferences: object;
}

/** What a kubeconfig of one cluster, one user and one context says. */
export interface KubeconfigOptions {
  readonly server: string;
  /** PEM; left out when the server's certificate is publicly trusted. */
  readonly certificateAuthority?: string;
  readonly credentials:
    | { readonly certificatePem: string; readonly keyPem: string }
    | { readonly token: string }
    | { readonly tokenFile: string };
  readonly clusterName?: string;
  readonly userName?: string;
  readonly contextName?: string;
  readonly namespace?: string;
  readonly tlsServerName?: string;
}

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

/** A kubeconfig with one cluster, one user and one context. */
export function kubeconfigFor(options: KubeconfigOptions): KubeconfigDocument {
  const { credentials, clusterName = 'cluster', userName = 'admin' } = options;
  const contextName = options.contextName ?? userName;
  const user: NamedUser['user'] =
    'token' in credentials || 'tokenFile' in credentials
      ? { ...credentials }
      : {
          'client-certificate-data': base64(credentials.certificatePem),
          'client-key-data': base64(credentials.keyPem),
        };
  const cluster: NamedCluster['cluster'] = {
    server: options.server,
    ...(options.certificateAuthority ? { 'certificate-authority-data': base64(options.certificateAuthority) } : {}),
    ...(options.tlsServerName ? { 'tls-server-name': options.tlsServerName } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster }],
    users: [{ name: userName, user }],
    contexts: [
      {
        name: contextName,
        context: {
          cluster: clusterName,
          user: userName,
          ...(options.namespace ? { namespace: options.namespace } : {}),
        },
      },
    ],
    'current-context': contextName,
    preferences: {},
  };
}
