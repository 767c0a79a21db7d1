import type { ImageSpec, ProxyStatus, TlsSecurityProfile } from '../rollout/global-config.ts';

/** The images of a release that a worker needs. */
export interface WorkerImages {
  /** `rhel-coreos`: the operating system. */
  readonly osImage: string;
  readonly osExtensionsImage: string;
  /** `pod`: the pause container. */
  readonly podImage: string;
  readonly machineConfigOperatorImage: string;
}

/** Everything a worker's payload is made of. Equal inputs give equal bytes. */
export interface PayloadInputs {
  /** The pool's config documents, as rawConfig() made them. */
  readonly rawConfig: string;
  readonly images: WorkerImages;
  /** Content of `.dockerconfigjson`. */
  readonly pullSecret: string;
  /** PEM; empty when there is none. */
  readonly additionalTrustBundle: string;
  /** The kubeconfig with which a kubelet asks for its first certificate. */
  readonly bootstrapKubeconfig: string;
  /** PEM: who may call the kubelet. */
  readonly kubeletClientCA: string;
  readonly clusterDnsAddress: string;
  readonly ipFamily: 'IPv4' | 'IPv6' | 'DualStack';
  readonly proxy: ProxyStatus;
  readonly image?: ImageSpec;
  readonly tlsSecurityProfile?: TlsSecurityProfile;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Content of the platform's cloud config, for platforms whose kubelet reads one. */
  readonly cloudConfig?: string;
}

/** Changes with every release of this room that renders other bytes; part of the payload's name, never of a rollout hash. */
export const rendererRevision = 1;
