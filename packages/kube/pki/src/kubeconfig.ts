/** kubeconfig as an object (v1 Config); turning it into YAML is the writer's job. */
export interface KubeconfigDocument {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters: readonly { readonly name: string; readonly cluster: KubeconfigCluster }[];
  readonly users: readonly { readonly name: string; readonly user: KubeconfigUser }[];
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string; readonly namespace?: string };
  }[];
  readonly 'current-context': string;
  readonly preferences: object;
}

export interface KubeconfigCluster {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

export interface KubeconfigUser {
  readonly 'client-certificate-data'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

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
  const user: KubeconfigUser =
    'token' in credentials || 'tokenFile' in credentials
      ? { ...credentials }
      : {
          'client-certificate-data': base64(credentials.certificatePem),
          'client-key-data': base64(credentials.keyPem),
        };
  const cluster: KubeconfigCluster = {
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
