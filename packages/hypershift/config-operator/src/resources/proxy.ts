import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { Platform } from '@hypershift-ts/hypershift-platforms';

export interface EffectiveProxy {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** The proxy pods of the operator use: the configured one, with everything of the cluster itself left out of it. */
export function effectiveProxy(hcp: HostedControlPlane, platform: Platform): EffectiveProxy {
  const { httpProxy, httpsProxy, noProxy = '' } = hcp.spec.configuration?.proxy ?? {};
  if (!httpProxy && !httpsProxy) return {};
  const { machineNetwork = [], clusterNetwork = [], serviceNetwork = [] } = hcp.spec.networking ?? {};
  const direct = new Set([
    '127.0.0.1',
    'localhost',
    '.svc',
    '.cluster.local',
    // Names of private clusters.
    '.local',
    ...[...machineNetwork, ...clusterNetwork, ...serviceNetwork].map(({ cidr }) => cidr),
    ...platform.guest.noProxy(hcp),
    ...noProxy.split(',').filter((entry) => entry !== ''),
  ]);
  return {
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: [...direct].sort().join(','),
  };
}
