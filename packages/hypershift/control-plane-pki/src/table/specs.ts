/** A CA Secret: made once, kept for ten years. */
export interface AuthoritySpec {
  readonly secret: string;
  readonly commonName: string;
  readonly organizationalUnit: string;
  /** `kubernetes.io/tls` where the consumer asks for it; then only `tls.crt` and `tls.key` are the names. */
  readonly type?: SecretType;
}

export type SecretType = 'Opaque' | 'kubernetes.io/tls';

/** Where the parts of a leaf are kept in its Secret. */
export interface LeafKeys {
  readonly certificate: string;
  readonly key: string;
  /** Absent: the CA is not repeated in the Secret. */
  readonly authority?: string;
}

/** A leaf Secret: who it names, what it is for and which CA signs it. */
export interface LeafSpec {
  readonly secret: string;
  /** The CA Secret. */
  readonly signer: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly role: 'server' | 'client' | 'peer';
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly type?: SecretType;
  readonly keys?: LeafKeys;
}

/** One place a bundle takes certificates from; what does not exist adds nothing. */
export type BundleSource =
  | { readonly secret: string; readonly key: string }
  | { readonly configMap: string; readonly key: string };

/** A ConfigMap with the certificates somebody must trust. */
export interface BundleSpec {
  readonly configMap: string;
  readonly key: string;
  readonly sources: readonly BundleSource[];
}

/** Who a kubeconfig is for, as upstream's label says it. */
export type KubeconfigScope = 'local' | 'external' | 'service' | 'bootstrap' | 'capi';

/** A Secret with a kubeconfig in it. */
export interface KubeconfigSpec {
  readonly secret: string;
  readonly key: string;
  readonly server: string;
  /** The leaf Secret whose certificate it presents. */
  readonly identity: string;
  /** Certificates of users' own serving certificates are trusted besides the root CA. */
  readonly trustsNamedCertificates?: boolean;
  /** Absent: unlabelled. */
  readonly scope?: KubeconfigScope;
  readonly labels?: { readonly [key: string]: string };
}

export const tlsKeys: LeafKeys = { certificate: 'tls.crt', key: 'tls.key', authority: 'ca.crt' };
export const caKeys = { certificate: 'ca.crt', key: 'ca.key' } as const;
/** Key of bundles that OpenShift components write. */
export const caBundleKey = 'ca-bundle.crt';
export const caHashAnnotation = 'hypershiftlite.openshift.io/ca-hash';
export const kubeconfigLabel = 'hypershift.openshift.io/kubeconfig';
export const kubeconfigKey = 'kubeconfig';
export const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';

/** The key pair that signs service account tokens. */
export const signingKeySecret = {
  secret: 'sa-signing-key',
  privateKey: 'service-account.key',
  publicKey: 'service-account.pub',
} as const;
