import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { normaliseToFour, type Version } from '@hypershift-ts/hypershift-release';

type Profile = NonNullable<
  NonNullable<NonNullable<HostedControlPlane['spec']['configuration']>['apiServer']>['tlsSecurityProfile']
>;

/** OpenSSL to IANA names, for those suites Go lets a program choose. Others are left out, as are those of TLS 1.3. */
const ianaNames = new Map([
  ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
  ['ECDHE-RSA-AES128-GCM-SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  ['ECDHE-ECDSA-AES256-GCM-SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'],
  ['ECDHE-RSA-AES256-GCM-SHA384', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
  ['ECDHE-RSA-CHACHA20-POLY1305', 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
  ['ECDHE-ECDSA-AES128-SHA', 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA'],
  ['ECDHE-RSA-AES128-SHA', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA'],
  ['ECDHE-ECDSA-AES256-SHA', 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA'],
  ['ECDHE-RSA-AES256-SHA', 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA'],
]);
const all = [...ianaNames.values()];

const profiles = {
  Old: { minVersion: 'VersionTLS10', suites: all },
  Intermediate: { minVersion: 'VersionTLS12', suites: all.slice(0, 6) },
  Modern: { minVersion: 'VersionTLS13', suites: [] },
} as const;

/** TLS flags of a component for the profile of the API server; none given means Intermediate. */
export function tlsArgs(profile: Profile | undefined): readonly string[] {
  const { minVersion, suites } = resolve(profile);
  return [
    ...(minVersion ? [`--tls-min-version=${minVersion}`] : []),
    ...(suites.length > 0 ? [`--tls-cipher-suites=${suites.join(',')}`] : []),
  ];
}

function resolve(profile: Profile | undefined): { readonly minVersion?: string; readonly suites: readonly string[] } {
  const type = profile?.type ?? 'Intermediate';
  if (type !== 'Custom') return profiles[type];
  const { minTLSVersion, ciphers = [] } = profile?.custom ?? {};
  return {
    ...(minTLSVersion ? { minVersion: minTLSVersion } : {}),
    suites: ciphers.flatMap((name) => ianaNames.get(name) ?? []),
  };
}

/** Providers take TLS flags from 4.23 on; older ones stop at a flag they do not know. */
export function providerTlsArgs(
  hostedControlPlane: HostedControlPlane | undefined,
  version: Version | undefined,
): readonly string[] {
  if (!hostedControlPlane || !version || normaliseToFour(version).minor < 23) return [];
  return tlsArgs(hostedControlPlane.spec.configuration?.apiServer?.tlsSecurityProfile);
}
