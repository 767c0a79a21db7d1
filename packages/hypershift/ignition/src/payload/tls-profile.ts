import type { TlsSecurityProfile } from '../rollout/global-config.ts';

export interface TlsSettings {
  readonly minVersion: string;
  /** IANA names. */
  readonly cipherSuites: readonly string[];
}

const tls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** OpenSSL's names of the ciphers that Go's TLS knows. */
const ianaNames: Readonly<Record<string, string>> = {
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
const intermediateCount = 6;

/** What a cluster's TLS profile means for a server written in Go. Ciphers that it does not know are left out. */
export function tlsSettings(profile: TlsSecurityProfile | undefined): TlsSettings {
  const older = Object.values(ianaNames);
  switch (profile?.type) {
    case 'Old':
      return { minVersion: 'VersionTLS10', cipherSuites: [...tls13, ...older] };
    case 'Modern':
      return { minVersion: 'VersionTLS13', cipherSuites: tls13 };
    case 'Custom': {
      const known = new Set([...tls13, ...older]);
      const cipherSuites = (profile.custom?.ciphers ?? []).flatMap(
        (name) => ianaNames[name] ?? (known.has(name) ? name : []),
      );
      return { minVersion: profile.custom?.minTLSVersion || 'VersionTLS12', cipherSuites };
    }
    default:
      return { minVersion: 'VersionTLS12', cipherSuites: [...tls13, ...older.slice(0, intermediateCount)] };
  }
}
