import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { serviceAccount } from '../../framework/manifest.ts';
import { configMapVolume, http, secretVolume } from '../../framework/pod.ts';

/** Leads the API server's connections to aggregated APIs back into the control plane's namespace. */
export const konnectivityAgent = component('konnectivity-agent', {
  zones: true,
  pod: (context) => ({
    serviceAccount: 'konnectivity-agent',
    containers: [
      {
        name: 'konnectivity-agent',
        image: 'apiserver-network-proxy',
        command: ['/usr/bin/proxy-agent'],
        args: [
          '--logtostderr=true',
          '--ca-cert',
          '/etc/konnectivity/ca/ca.crt',
          '--agent-cert',
          '/etc/konnectivity/agent/tls.crt',
          '--agent-key',
          '/etc/konnectivity/agent/tls.key',
          '--proxy-server-host',
          'konnectivity-server',
          '--proxy-server-port',
          '8091',
          '--health-server-port',
          '2041',
          '--keepalive-time',
          '30s',
          '--probe-interval',
          '5s',
          '--sync-interval',
          '5s',
          '--sync-interval-cap',
          '30s',
          '--v',
          '3',
          '--agent-identifiers',
          identifiers(context),
        ],
        cpu: '40m',
        memory: '50Mi',
        mounts: { 'agent-certs': '/etc/konnectivity/agent', 'konnectivity-ca': '/etc/konnectivity/ca' },
        startup: http('healthz', 2041, { period: 5, timeout: 5, failures: 60 }),
        readiness: http('readyz', 2041, { period: 30, timeout: 5, failures: 1 }),
        liveness: http('healthz', 2041, { period: 30, timeout: 5, failures: 6 }),
      },
    ],
    volumes: {
      'agent-certs': secretVolume('konnectivity-agent'),
      'konnectivity-ca': configMapVolume('konnectivity-ca-bundle'),
    },
  }),
  manifests: [serviceAccount('konnectivity-agent')],
});

/** Addresses this agent is chosen for: those of the aggregated API servers, as far as their Services exist. */
function identifiers({ lookup }: ControlPlaneContext): string {
  return ['openshift-apiserver', 'openshift-oauth-apiserver', 'packageserver']
    .map((name) => lookup.get(corev1.services, name)?.spec?.clusterIP)
    .filter((address) => address !== undefined && address !== '' && address !== 'None')
    .map((address) => `${address?.includes(':') ? 'ipv6' : 'ipv4'}=${address}`)
    .join('&');
}
