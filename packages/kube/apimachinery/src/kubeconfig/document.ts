/** A kubeconfig file as it is written, `v1 Config`. Unknown fields are kept when it is written again. */
export interface Kubeconfig {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly 'current-context'?: string;
  readonly clusters?: readonly NamedCluster[];
  readonly users?: readonly NamedUser[];
  readonly contexts?: readonly NamedContext[];
  readonly preferences?: object;
}

export interface NamedCluster {
  readonly name: string;
  readonly cluster: {
    readonly server?: string;
    readonly 'certificate-authority'?: string;
    readonly 'certificate-authority-data'?: string;
    readonly 'insecure-skip-tls-verify'?: boolean;
    readonly 'tls-server-name'?: string;
    readonly 'proxy-url'?: string;
  };
}

export interface NamedUser {
  readonly name: string;
  readonly user: {
    readonly 'client-certificate'?: string;
    readonly 'client-certificate-data'?: string;
    readonly 'client-key'?: string;
    readonly 'client-key-data'?: string;
    readonly token?: string;
    readonly tokenFile?: string;
    readonly username?: string;
    readonly password?: string;
    readonly as?: string;
    readonly 'as-uid'?: string;
    readonly 'as-groups'?: readonly string[];
    readonly 'as-user-extra'?: { readonly [key: string]: readonly string[] };
    readonly exec?: {
      readonly apiVersion?: string;
      readonly command?: string;
      readonly args?: readonly string[] | null;
      readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
      readonly installHint?: string;
      readonly provideClusterInfo?: boolean;
      readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
    };
    readonly 'auth-provider'?: { readonly name?: string };
  };
}

export interface NamedContext {
  readonly name: string;
  readonly context: { readonly cluster?: string; readonly user?: string; readonly namespace?: string };
}
