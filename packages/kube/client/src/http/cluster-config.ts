/** Bytes given inline, or a file that is read again when it changes. */
export type PemSource = { readonly pem: string } | { readonly file: string };

/** A command that prints credentials, as kubeconfig `users[].user.exec` describes it. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
}

/** Everything needed to reach a cluster, wherever it was read from. */
export interface ClusterConfig {
  /** `https://host:port`, with a path prefix if there is one. */
  readonly server: string;
  readonly certificateAuthority?: PemSource;
  readonly insecureSkipTlsVerify?: boolean;
  /** The name expected in the server's certificate, when it is not the host. */
  readonly tlsServerName?: string;
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: PemSource };
  readonly token?: string;
  readonly tokenFile?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly exec?: ExecPlugin;
  readonly impersonate?: {
    readonly user: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: { readonly [key: string]: readonly string[] };
  };
  /** The namespace that commands use when none is named. */
  readonly namespace?: string;
}
