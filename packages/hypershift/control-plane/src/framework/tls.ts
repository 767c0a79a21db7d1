import type { ControlPlaneContext } from './context.ts';

/** TLS versions and cipher suites in the names of Go, as every server of the control plane takes them. */
export interface TlsProfile {
  readonly minVersion: string;
  readonly cipherSuites: readonly string[];
}

const intermediate: TlsProfile = {
  minVersion: 'VersionTLS12',
  cipherSuites: [
    'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  ],
};

/** TLS 1.3 alone: its suites are not configurable in Go, so none are named. */
const modern: TlsProfile = { minVersion: 'VersionTLS13', cipherSuites: [] };

const old: TlsProfile = {
  minVersion: 'VersionTLS10',
  cipherSuites: [
    ...intermediate.cipherSuites,
    'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
    'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
    'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
    'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
    'TLS_RSA_WITH_AES_128_GCM_SHA256',
    'TLS_RSA_WITH_AES_256_GCM_SHA384',
    'TLS_RSA_WITH_AES_128_CBC_SHA256',
    'TLS_RSA_WITH_AES_128_CBC_SHA',
    'TLS_RSA_WITH_AES_256_CBC_SHA',
    'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  ],
};

/** OpenSSL's names, which users write in a custom profile, to Go's. */
const goNames: Readonly<Record<string, string>> = {
  'ECDHE-ECDSA-AES128-GCM-SHA256': 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384': 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384': 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305': 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'ECDHE-RSA-CHACHA20-POLY1305': 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-SHA256': 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
  'ECDHE-RSA-AES128-SHA256': 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
  'ECDHE-ECDSA-AES128-SHA': 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
  'ECDHE-RSA-AES128-SHA': 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
  'ECDHE-ECDSA-AES256-SHA': 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
  'ECDHE-RSA-AES256-SHA': 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
  'AES128-GCM-SHA256': 'TLS_RSA_WITH_AES_128_GCM_SHA256',
  'AES256-GCM-SHA384': 'TLS_RSA_WITH_AES_256_GCM_SHA384',
  'AES128-SHA256': 'TLS_RSA_WITH_AES_128_CBC_SHA256',
  'AES128-SHA': 'TLS_RSA_WITH_AES_128_CBC_SHA',
  'AES256-SHA': 'TLS_RSA_WITH_AES_256_CBC_SHA',
  'DES-CBC3-SHA': 'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
};

/** The profile the user chose for the API server; all servers of the control plane follow it. */
export function tlsProfileOf({ hcp }: Pick<ControlPlaneContext, 'hcp'>): TlsProfile {
  const profile = hcp.spec.configuration?.apiServer?.tlsSecurityProfile;
  switch (profile?.type) {
    case 'Modern':
      return modern;
    case 'Old':
      return old;
    case 'Custom': {
      const ciphers = (profile.custom?.ciphers ?? []) as readonly string[];
      return {
        minVersion: profile.custom?.minTLSVersion ?? intermediate.minVersion,
        cipherSuites: ciphers.map((name) => goNames[name]).filter((name) => name !== undefined),
      };
    }
    default:
      return intermediate;
  }
}

/** `--tls-min-version` and `--tls-cipher-suites`, the latter only where suites can be chosen. */
export function tlsFlags(
  context: Pick<ControlPlaneContext, 'hcp'>,
  names: { readonly version?: string; readonly suites?: string } = {},
): readonly string[] {
  const { minVersion, cipherSuites } = tlsProfileOf(context);
  return [
    `--${names.version ?? 'tls-min-version'}=${minVersion}`,
    ...(cipherSuites.length > 0 ? [`--${names.suites ?? 'tls-cipher-suites'}=${cipherSuites.join(',')}`] : []),
  ];
}

/** etcd writes versions differently: `TLS1.2`. */
export function etcdTlsVersion(context: Pick<ControlPlaneContext, 'hcp'>): string {
  return tlsProfileOf(context).minVersion === 'VersionTLS13' ? 'TLS1.3' : 'TLS1.2';
}

/** `servingInfo` of OpenShift's configuration files. */
export function servingInfo(
  context: Pick<ControlPlaneContext, 'hcp'>,
  port: number,
  files?: { readonly certFile: string; readonly keyFile: string },
): object {
  const { minVersion, cipherSuites } = tlsProfileOf(context);
  return {
    bindAddress: `0.0.0.0:${port}`,
    bindNetwork: 'tcp4',
    ...files,
    minTLSVersion: minVersion,
    ...(cipherSuites.length > 0 ? { cipherSuites } : {}),
  };
}
