import type { PkiFacts } from '../facts.ts';
import { serviceNames } from '../facts.ts';
import type { LeafSpec } from './specs.ts';

const common = {
  organizations: ['openshift'],
  type: 'kubernetes.io/tls',
  keys: { certificate: 'tls.crt', key: 'tls.key' },
} as const;

/** What the two ends serve with that hand metrics of the control plane to the hosted cluster. */
export function metricsLeaves({ namespace, metricsForwarding }: PkiFacts): readonly LeafSpec[] {
  if (!metricsForwarding) return [];
  const { host } = metricsForwarding;
  return [
    {
      ...common,
      secret: 'endpoint-resolver-serving-cert',
      signer: 'endpoint-resolver-ca',
      commonName: 'endpoint-resolver',
      role: 'peer',
      dnsNames: serviceNames('endpoint-resolver', namespace),
    },
    {
      ...common,
      secret: 'metrics-proxy-serving-cert',
      signer: 'metrics-proxy-ca-cert',
      commonName: 'metrics-proxy',
      role: 'server',
      dnsNames: [...(host ? [host] : []), ...serviceNames('metrics-proxy', namespace)],
    },
  ];
}
